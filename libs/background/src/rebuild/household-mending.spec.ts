import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document, Documents } from '#documents/documents';
import type { EventStore, StreamRange } from '#event-store/event-store';
import {
  createMonth,
  endRevisionOf,
  envelope,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
  CommandStreams,
} from '#streams/streams.scenario';
import { doubled } from '../failing.scenario.js';
import { compareWithFold } from './fold-comparison.js';
import { mendHousehold } from './household-mending.js';

const MONTH = '2026-01';

describe('mending the documents of a household', () => {
  let place: Workplace;
  let streams: CommandStreams;
  before(async () => {
    place = await workplace();
    streams = place.instance();
  });
  after(() => place.close());

  /** A household that ends with its month, or with an expense. */
  async function household(last: 'month' | 'expense'): Promise<string> {
    const id = freshId();
    if (last === 'expense') await streams.execute(id, createMonth(MONTH), envelope());
    await streams.execute(id, expense(freshId()), envelope());
    if (last === 'month') await streams.execute(id, createMonth(MONTH), envelope());
    return id;
  }

  const mend = (id: string, documents: Documents = place.documents) =>
    mendHousehold(place.store, documents, MODELS, id);

  async function assertRight(id: string): Promise<void> {
    // Documents ahead of the stream are wrong, too.
    const options = { revision: await endRevisionOf(place, id), found: async () => true };
    const { mismatches } = await compareWithFold(place.store, place.documents, MODELS, id, options);
    assert.deepEqual(mismatches, []);
  }

  async function spoilMonth(id: string, ahead: number): Promise<Document> {
    const key = `${id}|${MONTH}`;
    const right = (await place.documents.get<Document>(MODELS.months, key))!;
    const spoilt = { ...right, revision: right.revision + ahead, left_to_budget: 1 };
    await place.documents.remove(MODELS.months, key);
    await place.documents.put<Document>(MODELS.months, [spoilt]);
    return spoilt;
  }

  it('replaces what is wrong at the revision of the last event', async () => {
    const id = await household('month');
    assert.equal((await spoilMonth(id, 0)).revision, await endRevisionOf(place, id));
    await mend(id);
    await assertRight(id);
  });

  it('replaces what is ahead of the stream, of every collection', async () => {
    const id = await household('expense');
    await spoilMonth(id, 1_000_000);
    const [transaction] = await place.documents.range(MODELS.transactions, {
      from: `${id}|`,
      before: `${id}}`,
      limit: 1,
    });
    await place.documents.put(MODELS.transactions, [{ ...transaction!, revision: 1_000_000 }]);
    await mend(id);
    await assertRight(id);
  });

  it('leaves alone what commands have written since', async () => {
    const id = await household('expense');
    const transaction = freshId();
    await streams.execute(id, expense(transaction), envelope());
    const written: string[] = [];
    const documents = noting(place.documents, written, async () => {
      await streams.execute(id, expense(freshId()), envelope());
      await streams.execute(id, createMonth('2026-02'), envelope());
      await streams.execute(id, { type: 'DeleteTransaction', id: transaction }, envelope());
    });
    await mend(id, documents);
    assert.deepEqual(written, []);
    await assertRight(id);
  });

  it('waits for what a command writes that came before it began', async () => {
    const id = await household('expense');
    const slow = await slowlyWriting(place, id);
    let executing: Promise<unknown> = Promise.resolve();
    let asked = 0;
    const store = doubledStore(place.store, async () => {
      if (++asked !== 2) return;
      executing = slow.streams.execute(id, expense(freshId()), envelope());
      await slow.recorded;
    });
    const written: string[] = [];
    const documents = noting(place.documents, written, undefined, undefined, slow.goOn);
    await mendHousehold(store, documents, MODELS, id);
    await executing;
    assert.deepEqual(written, []);
    await assertRight(id);
  });

  it('puts right what a command writes after it that had read what was wrong', async () => {
    const id = await household('expense');
    const transaction = freshId();
    await streams.execute(id, expense(transaction), envelope());
    const key = `${id}|${transaction}`;
    const right = (await place.documents.get(MODELS.transactions, key))!;
    const slow = await slowlyWriting(place, id);
    await place.documents.remove(MODELS.transactions, key);
    const record = { ...right.record, amount: 1 };
    await place.documents.put(MODELS.transactions, [{ ...right, record }]);
    let executing: Promise<unknown> = Promise.resolve();
    const begin = async (): Promise<void> => {
      const command = { type: 'DeleteTransaction', id: transaction } as const;
      executing = slow.streams.execute(id, command, envelope());
      await slow.recorded;
    };
    await mend(id, noting(place.documents, [], begin, undefined, slow.goOn));
    slow.goOn();
    await executing;
    await assertRight(id);
  });

  it('looks once more at what it has mended', async () => {
    const id = await household('expense');
    await spoilMonth(id, 0);
    const written: string[] = [];
    const documents = noting(place.documents, written, undefined, async () => void (await spoilMonth(id, 0)));
    await mend(id, documents);
    assert.deepEqual(written, ['put months_g1', 'put months_g1']);
    await assertRight(id);
  });

  it('fails where documents keep being wrong', async () => {
    const id = await household('expense');
    const documents = new Proxy(place.documents, {
      get(target, name) {
        if (name === 'put') return async () => undefined;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await spoilMonth(id, 0);
    await assert.rejects(mend(id, documents), /could not be repaired/);
    await mend(id);
    await assertRight(id);
  });
});

/** A process that knows a household; what it records from now on, it writes only when it may. */
async function slowlyWriting({ store, documents }: Workplace, id: string) {
  let [tellRecorded, goOn] = [(): void => undefined, (): void => undefined];
  const recorded = new Promise<void>(resolve => (tellRecorded = resolve));
  const released = new Promise<void>(resolve => (goOn = resolve));
  let isSlow = false;
  const slow = doubled(documents, async (method, real) => {
    if (isSlow && method === 'putAll') {
      tellRecorded();
      await released;
    }
    return real();
  });
  const streams = new CommandStreams(store, slow, MODELS);
  await streams.load(id);
  isSlow = true;
  return { streams, recorded, goOn: () => goOn() };
}

/** A store that does something before each look at the end of a stream. */
function doubledStore(store: EventStore, before: () => Promise<void>): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): unknown => {
        const pages = Reflect.apply(value, target, parameters) as unknown;
        const [, range] = parameters as [unknown, StreamRange | undefined];
        if (name !== 'readStream' || range?.direction !== 'backwards') return pages;
        return (async function* () {
          await before();
          yield* target.readStream(...(parameters as Parameters<EventStore['readStream']>));
        })();
      };
    },
  });
}

/**
 * Documents that note what is put.
 * @param onRange called once, before the first look at a collection
 * @param afterPut called once, after the first document was put
 * @param onGet called before each look at one document
 */
function noting(
  documents: Documents,
  written: string[],
  onRange?: () => Promise<void>,
  afterPut?: () => Promise<void>,
  onGet?: () => void,
): Documents {
  let [beforeRange, behindPut] = [onRange, afterPut];
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]): Promise<unknown> => {
        if (name === 'get') onGet?.();
        if (name === 'range') {
          const act = beforeRange;
          beforeRange = undefined;
          await act?.();
        }
        const result = (await Reflect.apply(value, target, parameters)) as unknown;
        if (name === 'put') {
          written.push(`put ${(parameters[0] as Collection<Document>).name}`);
          const act = behindPut;
          behindPut = undefined;
          await act?.();
        }
        return result;
      };
    },
  });
}
