import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Clock } from '#concurrency/clock';
import type { Collection, Documents } from '#storage/documents/documents';
import {
  IDEMPOTENCY_KEY_MS,
  IdempotencyConflict,
  IdempotencyKeys,
  type KeyedCommand,
} from '#storage/documents/idempotency-keys';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { ApiError } from '#http/api-error';
import { RecordChanges } from './record-changes.js';
import {
  keyedCommand,
  RepeatableChanges,
  type Outcome,
  type RepeatableRecord,
} from './repeatable-changes.js';

interface Counter extends RepeatableRecord {
  readonly count: number;
}

const COUNTERS: Collection<Counter> = { name: 'counters', durability: 'durable', indexes: [] };

class StandingClock extends Clock {
  at = Date.UTC(2026, 0, 1);
  now(): number {
    return this.at;
  }
}

describe(RepeatableChanges.name, () => {
  const clock = new StandingClock();
  let directory: string;
  let documents: Documents;
  let counters = 0;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ledger-repeatable-'));
    documents = LedgerDatabase.open({ directory, now: () => clock.now() }).documents;
    await documents.ensure([COUNTERS, IdempotencyKeys.collection]);
  });
  after(async () => {
    await documents.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** An instance of the service: it shares nothing but the store. */
  const instance = (): RepeatableChanges =>
    new RepeatableChanges(documents, new RecordChanges(documents), clock);

  const counter = async (): Promise<string> => {
    const key = `counter-${(counters += 1)}`;
    await documents.insert(COUNTERS, { key, revision: 1, count: 0 });
    return key;
  };

  const add = (
    changes: RepeatableChanges,
    record: string,
    command: KeyedCommand | null,
    amount = 1,
  ): Promise<Outcome<Counter>> =>
    changes.change(COUNTERS, record, command, 'not_found', current =>
      amount === 0 ? {} : { next: { ...current, count: current.count + amount } },
    );

  const countOf = async (key: string): Promise<number | undefined> =>
    (await documents.get(COUNTERS, key))?.count;

  const command = (clientKey: string, amount = 1, userId = 'anna'): KeyedCommand =>
    keyedCommand({ userId, key: clientKey }, { command: 'add', body: { amount } })!;

  it('makes a change once, also when others came in between', async () => {
    const record = await counter();
    assert.equal((await add(instance(), record, command('a'))).replayed, false);
    assert.equal((await add(instance(), record, command('a'))).replayed, true);
    for (const between of ['b', 'c']) await add(instance(), record, command(between));
    await add(instance(), record, null);
    const { replayed, record: today } = await add(instance(), record, command('a'));
    assert.deepEqual([replayed, today.count], [true, 4]);
  });

  it('makes it once of twenty on two instances, in the midst of other changes', async () => {
    const record = await counter();
    const instances = [instance(), instance()];
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const at = instances[index % 2]!;
        return index % 4 === 3 ? add(at, record, command(`other-${index}`)) : add(at, record, command('a'));
      }),
    );
    assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 6);
    assert.equal(await countOf(record), 6);
  });

  it('refuses the key for another command', async () => {
    const record = await counter();
    await add(instance(), record, command('a'));
    await assert.rejects(add(instance(), record, command('a', 2)), IdempotencyConflict);
    await add(instance(), record, command('b'));
    await assert.rejects(add(instance(), record, command('a', 2)), IdempotencyConflict);
    assert.equal(await countOf(record), 2);
  });

  it('keeps the keys of users and of records apart', async () => {
    const [one, other] = [await counter(), await counter()];
    await add(instance(), one, command('a'));
    assert.equal((await add(instance(), one, command('a', 1, 'ben'))).replayed, false);
    assert.equal((await add(instance(), other, command('a'))).replayed, false);
  });

  it('remembers what changed nothing: a late repetition does not undo what was done since', async () => {
    const record = await counter();
    const first = await add(instance(), record, command('a', 0), 0);
    assert.deepEqual([first.changed, first.replayed], [false, false]);
    const late = await add(instance(), record, command('a', 0), 5);
    assert.deepEqual([late.changed, late.replayed], [false, true]);
    await assert.rejects(add(instance(), record, command('a')), IdempotencyConflict);
  });

  it('frees the key of what was refused, for another command as well', async () => {
    const record = await counter();
    const refuse = (): Promise<never> => Promise.reject(new ApiError('last_owner'));
    const refused = instance().change(COUNTERS, record, command('a'), 'not_found', refuse);
    await assert.rejects(refused, ApiError);
    assert.equal((await add(instance(), record, command('a', 2), 2)).changed, true);
  });

  it('settles the key from the record where the process died before it told', async () => {
    const record = await counter();
    await add(instance(), record, command('a'));
    await documents.removePrefix(IdempotencyKeys.collection, record);
    await assert.rejects(add(instance(), record, command('a', 2)), IdempotencyConflict);
    assert.equal((await add(instance(), record, command('a'))).replayed, true);
    await documents.removePrefix(IdempotencyKeys.collection, record);
    await add(instance(), record, command('b'));
    assert.equal((await add(instance(), record, command('a'))).replayed, true);
    assert.equal(await countOf(record), 2);
  });

  it('forgets a key after a day, whether or not another command came after it', async () => {
    const [one, other] = [await counter(), await counter()];
    await add(instance(), one, command('a'));
    await add(instance(), other, command('a'));
    await add(instance(), other, command('b'));
    clock.at += IDEMPOTENCY_KEY_MS - 1;
    for (const record of [one, other]) {
      assert.equal((await add(instance(), record, command('a'))).replayed, true);
    }
    clock.at += 1;
    for (const record of [one, other]) {
      assert.equal((await add(instance(), record, command('a', 5), 5)).replayed, false);
    }
    assert.deepEqual([await countOf(one), await countOf(other)], [6, 7]);
  });

  it('tells a repetition whether what follows the change is done', async () => {
    const record = await counter();
    const begin = (): Promise<Outcome<Counter>> =>
      instance().change(COUNTERS, record, command('a'), 'not_found', current => ({
        next: { ...current, count: 1 },
        made: 'thing',
      }));
    await begin();
    const repeated = await begin();
    assert.deepEqual(
      [repeated.replayed, repeated.applied?.made, repeated.applied?.finished],
      [true, 'thing', false],
    );
    const changes = instance();
    let done = 0;
    const finish = (): Promise<void> =>
      changes.finish(record, repeated.applied, async () => {
        done += 1;
      });
    const failing = changes.finish(record, repeated.applied, () => Promise.reject(new Error('not yet')));
    await Promise.all([assert.rejects(failing, /not yet/), finish(), finish()]);
    assert.equal(done, 1);
    assert.equal((await begin()).applied?.finished, true);
    // The next keyed command puts the one before away as its record has it: unfinished.
    await add(instance(), record, command('b'));
    assert.equal((await begin()).applied?.finished, true);
  });
});
