import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Controller, Get, Module, type StreamableFile } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { Access } from './access.js';
import { answerInParts, FIRST_PART_LENGTH } from './answer-in-parts.js';
import { Answers } from './answers.js';
import { createHttpApp, listen } from './create-http-app.js';
import { STANDSTILL_MS } from './http-server.js';

/** Resolved by the spec, or by the answer. */
class Signal {
  give!: () => void;
  readonly given = new Promise<void>(resolve => (this.give = resolve));
}

/** What the one route answers: an answer without end, which begins when it may and says when it is ended. */
let answer: { asked: Signal; mayBegin: Signal; ended: Signal };

async function* parts(): AsyncGenerator<string> {
  const { asked, mayBegin, ended } = answer;
  try {
    asked.give();
    await mayBegin.given;
    for (;;) yield 'x'.repeat(FIRST_PART_LENGTH);
  } finally {
    ended.give();
  }
}

@Controller()
class EndlessController {
  @Get('endless')
  @Access.public()
  @Answers(200, undefined, 'Text')
  endless(): Promise<StreamableFile> {
    return answerInParts(parts());
  }
}

@Module({ controllers: [EndlessController] })
class EndlessModule {}

describe('an answer that is not read', { timeout: 120_000 }, () => {
  let app: NestFastifyApplication;
  let server: Server;
  before(async () => {
    const description = { title: 'Endless', version: '0', introduction: '', limits: '', tags: {} };
    app = await createHttpApp(EndlessModule, { logger: pino({ level: 'silent' }), description });
    await listen(app, 0, '127.0.0.1');
    server = app.getHttpServer();
  });
  after(() => app.close());

  /** Asks, and reads nothing. */
  async function client(): Promise<Socket> {
    answer = { asked: new Signal(), mayBegin: new Signal(), ended: new Signal() };
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /v1/endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await answer.asked.given;
    return socket;
  }

  it('ends what it is made of where the client left before it began', async () => {
    const connected = once(server, 'connection');
    const socket = await client();
    const [other] = (await connected) as [Socket];
    socket.destroy();
    await once(other, 'close');
    answer.mayBegin.give();
    await answer.ended.given;
  });

  it('ends it where the client leaves in the middle', async () => {
    const socket = await client();
    answer.mayBegin.give();
    await once(socket.resume(), 'data');
    socket.destroy();
    await answer.ended.given;
  });

  it('ends it where the client takes nothing for a minute', async () => {
    const connected = once(server, 'connection');
    const socket = await client();
    const [other] = (await connected) as [Socket];
    assert.equal(other.timeout, STANDSTILL_MS);
    other.setTimeout(100);
    answer.mayBegin.give();
    await answer.ended.given;
    assert.ok(!socket.destroyed, 'the client has not left by itself');
    socket.destroy();
  });
});
