import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StreamableFile } from '@nestjs/common';
import { answerInParts, FIRST_PART_LENGTH, jsonWithList } from './answer-in-parts.js';

async function textOf(answer: StreamableFile): Promise<string> {
  let text = '';
  for await (const part of answer.getStream()) text += String(part);
  return text;
}

async function* pagesOf(...pages: readonly (readonly object[])[]): AsyncGenerator<readonly object[]> {
  yield* pages;
}

describe('answerInParts', () => {
  it('makes a short answer whole, so that it says its length in bytes', async () => {
    const answer = await answerInParts(
      jsonWithList({ name: 'é' }, 'list', pagesOf([{ a: 1 }], [], [{ a: 2 }])),
    );
    const text = await textOf(answer);
    assert.deepEqual(JSON.parse(text), { name: 'é', list: [{ a: 1 }, { a: 2 }] });
    assert.equal(answer.getHeaders().length, Buffer.byteLength(text));
  });

  it('writes an empty list', async () => {
    assert.equal(await textOf(await answerInParts(jsonWithList({}, 'list', pagesOf()))), '{"list":[]}');
  });

  it('asks for the parts of a long answer as they are taken', async () => {
    let made = 0;
    async function* parts(): AsyncGenerator<string> {
      for (; made < 1_000; made += 1) yield 'x'.repeat(FIRST_PART_LENGTH);
    }
    const answer = await answerInParts(parts());
    assert.equal(answer.getHeaders().length, undefined);
    await new Promise(resolve => setImmediate(resolve));
    assert.ok(made < 10, `${made} parts were made before one was taken`);
    assert.equal((await textOf(answer)).length, 1_000 * FIRST_PART_LENGTH);
  });

  it('throws what goes wrong before anything is sent', async () => {
    async function* parts(): AsyncGenerator<string> {
      yield '{';
      throw new Error('down');
    }
    await assert.rejects(answerInParts(parts()), /down/);
  });
});
