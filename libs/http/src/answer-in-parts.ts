import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** At least this many characters are made before anything is sent: until then an error has its own status. */
export const FIRST_PART_LENGTH = 64 * 1024;

interface AnswerInPartsOptions {
  /** `application/json; charset=utf-8` where absent. */
  readonly type?: string;
  readonly disposition?: string;
}

/**
 * A response that is sent while it is made, so that its length costs no memory: the next part is made when the client has
 * read the one before. A short response is made whole and has its length.
 * @throws whatever the first parts throw; a later error ends the connection
 */
export async function answerInParts(
  parts: AsyncGenerator<string>,
  { type = 'application/json; charset=utf-8', disposition }: AnswerInPartsOptions = {},
): Promise<StreamableFile> {
  const options = disposition === undefined ? { type } : { type, disposition };
  let begun = '';
  while (begun.length < FIRST_PART_LENGTH) {
    const part = await parts.next();
    if (part.done === true) {
      const whole = Buffer.from(begun);
      return new StreamableFile(whole, { ...options, length: whole.length });
    }
    begun += part.value;
  }
  async function* all(): AsyncGenerator<string> {
    yield begun;
    yield* parts;
  }
  const stream = Readable.from(all(), { objectMode: false });
  // If the client leaves before the first part is read, the generator has not started and must be ended here.
  stream.once('close', () => void parts.return(undefined).catch(() => undefined));
  return new StreamableFile(stream, options);
}

/** A JSON object in parts: some fields, and behind them one list that may be long. */
export async function* jsonWithList(
  fields: object,
  list: string,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  const beginning = JSON.stringify({ ...fields, [list]: [] });
  yield beginning.slice(0, -2);
  yield* jsonElements(pages);
  yield ']}';
}

/** A JSON array in parts, without its brackets. */
export async function* jsonElements(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map(element => JSON.stringify(element)).join(',');
    separator = ',';
  }
}
