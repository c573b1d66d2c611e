// Commands that touch every transaction of a full month give way to other requests of the process.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { monotonicFactory } from 'ulid';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import { TEMPLATE_IDS, type Command } from '#ledger/commands';
import { TRANSACTIONS_PER_MONTH_MAX } from '#ledger/limits';
import { itemTag, monthTag } from '#projections/transaction-document';
import { HouseholdStreams } from '#streams/household-streams';
import { readModelsOf } from '#streams/read-models';
import { appendHistory } from './bench/history.js';

/** What this thread had of the processors: a machine that is busy otherwise does not count. */
const SCHEDULED = `/proc/self/task/${process.pid}/schedstat`;
/** A request takes some turns, and may wait 200 ms in all. */
const TURN_MS_MAX = 120;
const MODELS = readModelsOf(1);
const VIEWS_THREAD = new URL('../libs/runtime/src/views-writer.js', import.meta.url);
const ulid = monotonicFactory();
const household = ulid();
const userId = ulid();

function cpuMs(): number {
  return Number(readFileSync(SCHEDULED, 'utf8').split(' ')[0]) / 1e6;
}

/** The longest turn of the event loop while something is done, in milliseconds of this thread. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = cpuMs();
  const look = (): void => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const looking = setInterval(look, 1);
  await work();
  look();
  clearInterval(looking);
  return longest;
}

describe('a command on a full month', { skip: !existsSync(SCHEDULED) && `no ${SCHEDULED}` }, () => {
  let directory: string;
  let store: SqliteEventStore;
  let documents: SqliteDocuments;
  let streams: HouseholdStreams;
  let itemId: string;
  const month = '2000-01';

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'long-commands-'));
    store = SqliteEventStore.open({ file: join(directory, 'events.db'), appendsInThread: true });
    documents = SqliteDocuments.openWritingBehind({ directory }, VIEWS_THREAD);
    await documents.ensure(HouseholdStreams.collections(MODELS));
    await appendHistory(store, {
      householdIds: [household],
      userId,
      eventsPerHousehold: TRANSACTIONS_PER_MONTH_MAX,
      mix: 'created',
      months: 2,
      inOnePlace: true,
    });
    streams = new HouseholdStreams(store, documents, MODELS);
    const { items } = await streams.catchUp(household);
    itemId = [...items.values()].find(({ name }) => name === 'Item 0')!.id;
  });
  after(async () => {
    await streams.settle();
    await documents.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const execute = async (command: Command): Promise<string> => {
    const executed = await streams.execute(household, command, {
      actor: { userId, credential: { kind: 'session', id: userId } },
      now: () => new Date().toISOString(),
      commandId: ulid(),
      requestId: 'request',
    });
    return executed.events[0]!.id;
  };
  const tracked = (): Promise<number> =>
    documents.count(MODELS.transactions, {
      index: 'by_tag',
      equals: { household, view: 'tracked', tags: [monthTag(month), itemTag(itemId)] },
      limit: TRANSACTIONS_PER_MONTH_MAX,
    });

  const commands: Readonly<Record<string, Command>> = {
    'deletes an item': { type: 'RemoveItem', month, itemId: '' },
    'resets the month': {
      type: 'ResetMonth',
      month,
      mode: 'replace',
      newIds: Array.from({ length: TEMPLATE_IDS }, () => ulid()),
    },
  };
  for (const [name, command] of Object.entries(commands)) {
    it(`${name}, and undoes that, a little at a time`, async () => {
      let eventId = '';
      const turn = await longestTurn(async () => {
        eventId = await execute(command.type === 'RemoveItem' ? { ...command, itemId } : command);
      });
      assert.equal(await tracked(), 0);
      const back = await longestTurn(() => execute({ type: 'UndoCommand', eventId }));
      assert.equal(await tracked(), TRANSACTIONS_PER_MONTH_MAX);
      assert.ok(turn <= TURN_MS_MAX, `others wait ${turn} ms behind it`);
      assert.ok(back <= TURN_MS_MAX, `others wait ${back} ms behind its undoing`);
    });
  }
});
