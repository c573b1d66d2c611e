// The server is killed under load, several times. Whatever it had answered must be there afterwards, once, and the
// figures must be those of exactly the transactions that are there.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { monotonicFactory } from 'ulid';
import { LedgerProcess } from '../ledger-process.js';

const KILLS = 3;
const WRITERS = 8;
const ANSWERS_BEFORE_KILL = 60;

interface Item {
  readonly id: string;
  readonly spent: number;
  readonly kind: string;
}

describe('a server that is killed under load', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'killed-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('has every answered command once, and figures that add up', async () => {
    const ulid = monotonicFactory();
    const answered = new Set<string>();
    const unclear = new Set<string>();
    let server = await LedgerProcess.start({ directory });
    const token = await server.signUp(directory);
    const month = await server.call('POST', '/months/2026-01', { token });
    const itemId = itemsOf(month.body).find(({ kind }) => kind === 'expense')!.id;
    for (let kill = 0; kill < KILLS; kill++) {
      await writeUntilKilled(server, token, itemId, ulid, answered, unclear);
      server = await LedgerProcess.start({ directory });
    }
    for (const id of unclear) {
      const answer = await server.call('POST', '/transactions', { token, body: transaction(id, itemId) });
      assert.ok(answer.status === 200 || answer.status === 201, `${id}: ${answer.status}`);
      answered.add(id);
    }
    const listed = await everyTransaction(server, token);
    assert.equal(new Set(listed).size, listed.length);
    assert.deepEqual([...listed].sort(), [...answered].sort());
    assert.ok(answered.size >= KILLS * ANSWERS_BEFORE_KILL);
    const figures = await server.call('GET', '/months/2026-01', { token });
    const spent = itemsOf(figures.body).find(({ id }) => id === itemId)!.spent;
    assert.equal(spent, answered.size * 100);
    assert.equal(await server.end('SIGTERM'), 0);
  });
});

async function writeUntilKilled(
  server: LedgerProcess,
  token: string,
  itemId: string,
  ulid: () => string,
  answered: Set<string>,
  unclear: Set<string>,
): Promise<void> {
  let answers = 0;
  const writer = async (): Promise<void> => {
    for (;;) {
      const id = ulid();
      unclear.add(id);
      const answer = await server
        .call('POST', '/transactions', { token, body: transaction(id, itemId) })
        .catch(() => null);
      if (answer === null) return;
      assert.equal(answer.status, 201);
      unclear.delete(id);
      answered.add(id);
      answers++;
      if (answers === ANSWERS_BEFORE_KILL) void server.end('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await server.end('SIGKILL');
}

function transaction(id: string, itemId: string): object {
  const splits = [{ item_id: itemId, amount: 100 }];
  return { id, type: 'expense', amount: 100, date: '2026-01-10', merchant: 'Bakery', splits };
}

async function everyTransaction(server: LedgerProcess, token: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await server.call('GET', `/transactions?view=tracked&limit=200${query}`, { token });
    ids.push(...(body['transactions'] as { readonly id: string }[]).map(({ id }) => id));
    cursor = body['next_cursor'] as string | null;
  }
  return ids;
}

function itemsOf(month: Record<string, unknown>): Item[] {
  return (month['groups'] as { readonly items: Item[] }[]).flatMap(({ items }) => items);
}
