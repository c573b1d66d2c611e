import { once } from 'node:events';
import { safeJson } from './plain-text.js';

/** A stream that text is written to, and whether a person looks at it. */
export type TextStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/**
 * Where a command prints its results (`out`) and its progress (`err`). Writing waits for a slow reader.
 */
export class Terminal {
  constructor(
    readonly out: TextStream,
    readonly err: TextStream,
  ) {}

  /** One or more lines of results. Text of users has been through `plainText` before. */
  async print(lines: string): Promise<void> {
    if (!this.out.write(`${lines}\n`)) await once(this.out, 'drain');
  }

  async printJson(value: unknown): Promise<void> {
    await this.print(safeJson(value));
  }

  /** One JSON document with a single list, however long that is, behind other fields. */
  async printJsonList(
    name: string,
    pages: AsyncIterable<readonly object[]> | Iterable<readonly object[]>,
    fields: object = {},
  ): Promise<void> {
    let separator = '';
    await this.write(safeJson({ ...fields, [name]: [] }).slice(0, -2));
    for await (const page of pages) {
      for (const element of page) {
        await this.write(`${separator}${safeJson(element)}`);
        separator = ',\n';
      }
    }
    await this.print(']}');
  }

  /** A remark beside the results: standard error, so that results can be piped. */
  remark(sentence: string): void {
    this.err.write(`${sentence}\n`);
  }

  private async write(text: string): Promise<void> {
    if (!this.out.write(text)) await once(this.out, 'drain');
  }
}
