import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, request, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Controller, Get, Header, Module, Res, type StreamableFile } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { pino } from 'pino';
import { Access } from './access.js';
import { answerInParts, FIRST_PART_LENGTH } from './answer-in-parts.js';
import { Answers } from './answers.js';
import { COMPRESSED_BYTES_MIN, encodingFor, tagAnswer } from './representation.js';
import { createHttpApp, listen } from './create-http-app.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const LONG = JSON.stringify({ text: 'é'.repeat(COMPRESSED_BYTES_MIN) });
const PARTS = 5;
/** More than either encoder holds back, in parts that do not become shorter. */
const MANY_PARTS = 100;
const BYTES = Buffer.from(LONG);

async function* parts(): AsyncGenerator<string> {
  for (let part = 0; part < PARTS; part++) yield String(part).repeat(FIRST_PART_LENGTH);
}

/** What was made until it fails is either so little that it waits to be compressed, or is sent already. */
async function* failing(isSent: boolean): AsyncGenerator<string> {
  if (!isSent) yield* parts();
  else for (let part = 0; part < MANY_PARTS; part++) yield randomBytes(FIRST_PART_LENGTH).toString('base64');
  await pause(50);
  throw new Error('down');
}

let left: () => void;

async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) yield 'x'.repeat(FIRST_PART_LENGTH);
  } finally {
    left();
  }
}

@Controller()
class AnswersController {
  @Get('object')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  object(): object {
    return JSON.parse(LONG) as object;
  }

  @Get('tagged')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  @Header('Content-Type', JSON_TYPE)
  tagged(@Res({ passthrough: true }) reply: FastifyReply): string {
    tagAnswer(reply, 7);
    return LONG;
  }

  @Get('short')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  short(): object {
    return { text: 'x'.repeat(COMPRESSED_BYTES_MIN / 2) };
  }

  @Get('image')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  @Header('Content-Type', 'image/png')
  image(): Buffer {
    return BYTES;
  }

  @Get('encoded')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  @Header('Content-Type', JSON_TYPE)
  @Header('Content-Encoding', 'zstd')
  encoded(): Buffer {
    return BYTES;
  }

  @Get('parts')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  parts(): Promise<StreamableFile> {
    return answerInParts(parts());
  }

  @Get('few')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  few(): Promise<StreamableFile> {
    return answerInParts(new Blob(['[]']).stream().values() as unknown as AsyncGenerator<string>);
  }

  @Get('broken')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  broken(): Promise<StreamableFile> {
    return answerInParts(failing(true));
  }

  @Get('fails-early')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  failsEarly(): Promise<StreamableFile> {
    return answerInParts(failing(false));
  }

  @Get('endless')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  endless(): Promise<StreamableFile> {
    return answerInParts(endless());
  }

  @Get('events')
  @Access.public()
  @Answers(200, undefined, 'A test response')
  events(): Promise<StreamableFile> {
    return answerInParts(parts(), { type: 'text/event-stream; charset=utf-8' });
  }
}

@Module({ controllers: [AnswersController] })
class AnswersModule {}

interface Answer {
  readonly status: number | undefined;
  readonly encoding: string | undefined;
  readonly message: IncomingMessage;
  readonly bytes: Buffer;
}

describe('the compression of answers', () => {
  let app: NestFastifyApplication;
  let origin: string;
  before(async () => {
    const description = { title: 'Answers', version: '0', introduction: '', limits: '', tags: {} };
    app = await createHttpApp(AnswersModule, { logger: pino({ level: 'silent' }), description });
    await listen(app, 0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    origin = `http://127.0.0.1:${port}/v1`;
  });
  after(() => app.close());

  async function ask(
    path: string,
    accepted?: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const sent = { ...headers, ...(accepted !== undefined && { 'Accept-Encoding': accepted }) };
    const asked = request(`${origin}${path}`, { method, headers: sent }).end();
    const [message] = (await once(asked, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const encoding = message.headers['content-encoding'];
    return { status: message.statusCode, encoding, message, bytes: Buffer.concat(chunks) };
  }

  const textOf = ({ encoding, bytes }: Answer): string =>
    String(encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes);

  it('sends what is long in an encoding that the client accepts, and as it is to all others', async () => {
    for (const path of ['/object', '/tagged']) {
      for (const encoding of ['br', 'gzip', undefined]) {
        const answer = await ask(path, encoding);
        assert.deepEqual([answer.encoding, textOf(answer)], [encoding, LONG]);
        assert.equal(answer.message.headers.vary, 'Accept-Encoding');
        assert.equal(answer.message.headers['content-length'], String(answer.bytes.length));
        if (encoding !== undefined) assert.ok(answer.bytes.length < LONG.length / 2);
        const again = await ask(path, encoding);
        assert.ok(again.bytes.equals(answer.bytes));
      }
    }
  });

  it('leaves what is short, is encoded already or would not become shorter', async () => {
    for (const path of ['/short', '/image', '/few', '/nowhere']) {
      const { encoding, message } = await ask(path, 'br, gzip');
      assert.equal(encoding, undefined, path);
      assert.ok(message.headers['content-length'] !== undefined, path);
    }
    const { encoding, bytes } = await ask('/encoded', 'br');
    assert.deepEqual([encoding, String(bytes)], ['zstd', LONG]);
  });

  it('sends an event stream as it is', async () => {
    const answer = await ask('/events', 'br, gzip');
    assert.equal(answer.encoding, undefined);
    assert.equal(answer.bytes.length, PARTS * FIRST_PART_LENGTH);
  });

  it('answers HEAD with the headers of GET, and what did not change with 304', async () => {
    const got = await ask('/tagged', 'gzip');
    const { etag } = got.message.headers;
    assert.match(String(etag), /^"7-[0-9a-f]{16}"$/);
    const head = await ask('/tagged', 'gzip', { method: 'HEAD' });
    assert.equal(head.bytes.length, 0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary']) {
      assert.equal(head.message.headers[name], got.message.headers[name], name);
    }
    // The tag is the same in every encoding.
    for (const accepted of ['gzip', 'br', undefined]) {
      const answer = await ask('/tagged', accepted, { headers: { 'If-None-Match': `W/${etag}` } });
      assert.deepEqual([answer.status, answer.bytes.length, answer.encoding], [304, 0, undefined]);
      assert.deepEqual([answer.message.headers.etag, answer.message.headers.vary], [etag, 'Accept-Encoding']);
    }
  });

  it('compresses an answer in parts while it is made, and cuts the connection where that fails', async () => {
    for (const encoding of ['br', 'gzip']) {
      const answer = await ask('/parts', encoding);
      assert.equal(answer.encoding, encoding);
      assert.equal(textOf(answer).length, PARTS * FIRST_PART_LENGTH);
      await assert.rejects(ask('/broken', encoding), /aborted/);
    }
  });

  it('answers an error as it is where nothing was sent before it', async () => {
    // Brotli holds back what gzip has begun to send.
    const answer = await ask('/fails-early', 'br');
    assert.deepEqual([answer.status, answer.encoding], [500, undefined]);
    assert.match(textOf(answer), /"code":"internal"/);
  });

  it('ends an answer in parts where the client leaves', async () => {
    for (const encoding of ['br', 'gzip']) {
      const ended = new Promise<void>(resolve => (left = resolve));
      const asked = get(`${origin}/endless`, { headers: { 'Accept-Encoding': encoding } });
      const [message] = (await once(asked, 'response')) as [IncomingMessage];
      await once(message, 'data');
      message.destroy();
      await ended;
    }
  });
});

describe('the encoding of an answer', () => {
  it('is the one that the client prefers, Brotli where it has no preference', () => {
    for (const [accepted, encoding] of [
      ['br', 'br'],
      ['GZIP', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['gzip, br;q=0.5', 'gzip'],
      ['gzip;q=0.2,br;q=0.3', 'br'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['identity, gzip;q=0.5', null],
      ['identity;q=0.5, gzip ; q=0.5', 'gzip'],
      ['gzip;q=0, br;q=0.000', null],
      ['*;q=0', null],
      ['deflate, zstd, identity', null],
      ['gzip;q=x', null],
      ['', null],
    ] as const) {
      assert.equal(encodingFor(accepted), encoding, accepted);
    }
  });
});
