import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DocumentsUnavailable, type Document, type Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { BESIDE_FAILURES, noteBesideFailure } from '../versions/active-version.js';
import { streamOf } from '../households/household-stream.js';
import { envelope, expense, freshId, type Workplace } from '../households/streams.scenario.js';
import { doubled } from '../projector/failing.scenario.js';
import { building, endOf, households, rebuildWorkplace, type Building } from './replay.scenario.js';
import { StoredFailures } from '../projector/failing-households.js';
import type { Replay } from './replay.js';
import { VerificationFailed, verifyHouseholds } from './verification.js';

/** More than are listed at once. */
const MANY_HOUSEHOLDS = 201;

describe('verifying read models that were built', () => {
  let place: Workplace;
  let ids: readonly string[];
  let built: Building;
  before(async () => {
    place = await rebuildWorkplace();
    ids = await households(place, MANY_HOUSEHOLDS);
    built = await building(place, 2);
    await built.replay().upTo(await endOf(place));
  });
  after(() => place.close());

  /** @returns how many were told of last */
  async function verified(
    replay: Replay,
    others: {
      readonly store?: EventStore;
      readonly documents?: Documents;
    } = {},
  ): Promise<number> {
    let told = 0;
    await verifyHouseholds({
      store: place.store,
      documents: place.documents,
      builder: built.builder,
      replay,
      ...others,
      advanced: async households => {
        told = households;
      },
    });
    return told;
  }

  /** Another replay has come as far, and has verified nothing yet. */
  const replay = (): Replay => built.replay({ id: freshId() });

  /** A month of a household is wrong while something is done. */
  async function whileWrong(id: string, act: () => Promise<void>): Promise<void> {
    const { months } = built.builder.models;
    const right = (await place.documents.get<Document>(months, `${id}|2026-01`))!;
    const write = async (document: Document): Promise<void> => {
      await place.documents.remove(months, right.key);
      await place.documents.put<Document>(months, [document]);
    };
    await write({ ...right, left_to_budget: 1 } as Document);
    await act();
    await write(right);
  }

  it('looks at each household once, however many there are', async () => {
    const whole = replay();
    assert.equal(await verified(whole), MANY_HOUSEHOLDS);
    assert.equal((await whole.stored()).verifiedCount, MANY_HOUSEHOLDS);
    for (const id of [ids[0]!, ids.at(-1)!]) {
      await whileWrong(id, async () => {
        await assert.rejects(
          verified(replay()),
          (error: unknown) =>
            error instanceof VerificationFailed &&
            error.message.includes(id) &&
            /do not match its events: 1 document/.test(error.message),
        );
      });
    }
  });

  it('goes on behind the households that were verified before', async () => {
    const whole = replay();
    await verified(whole);
    await whileWrong(ids[0]!, async () => {
      assert.equal(await verified(whole), 0);
    });
  });

  it('tolerates a household that had stopped before', async () => {
    await new StoredFailures(place.documents).put(ids[3]!, 0, new Error('no such event'));
    await whileWrong(ids[3]!, async () => {
      assert.equal(await verified(replay()), MANY_HOUSEHOLDS);
    });
    await place.documents.removePrefix(StoredFailures.collection, '');
  });

  it('says nothing of the documents where a store is down', async () => {
    const documents = doubled(place.documents, (method, real) =>
      method === 'range' ? Promise.reject(new DocumentsUnavailable('down')) : real(),
    );
    await assert.rejects(verified(replay(), { documents }), DocumentsUnavailable);
    const { heads } = built.builder.models;
    const compared = new Proxy(place.documents, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]): Promise<unknown> => {
          if (name === 'range' && parameters[0] !== heads) throw new DocumentsUnavailable('down');
          return (await Reflect.apply(value, target, parameters)) as unknown;
        };
      },
    });
    await assert.rejects(verified(replay(), { documents: compared }), DocumentsUnavailable);
  });

  it('fails where the events of a household cannot be folded, unless it had stopped before', async () => {
    const id = ids[5]!;
    const store = new Proxy(place.store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]): unknown => {
          if (name === 'readStream' && parameters[0] === streamOf(id)) throw new TypeError('no such group');
          return Reflect.apply(value, target, parameters) as unknown;
        };
      },
    });
    await assert.rejects(verified(replay(), { store }), {
      name: 'VerificationFailed',
      message: /cannot be built/,
    });
    await new StoredFailures(place.documents).put(id, 0, new Error('no such group'));
    assert.equal(await verified(replay(), { store }), MANY_HOUSEHOLDS);
    await place.documents.removePrefix(StoredFailures.collection, '');
  });

  it('brings a household up to date that could not be written, and forgets that', async () => {
    const [id] = ids;
    await place.instance().execute(id!, expense(freshId()), envelope());
    await noteBesideFailure(place.documents, id!);
    await verified(replay());
    const { untrackedCounts } = built.builder.models;
    assert.equal((await place.documents.get(untrackedCounts, id!))?.count, 1);
    assert.equal(await place.documents.get(BESIDE_FAILURES, id!), null);
  });

  it('fails where such a household is still wrong, however many there are', async () => {
    for (const id of ids) await noteBesideFailure(place.documents, id);
    const broken = ids.at(-1)!;
    const whole = replay();
    // As if all had been verified before: only what could not be written is looked at.
    await whole.advance({ verified: broken, verifiedCount: MANY_HOUSEHOLDS });
    await whileWrong(broken, () => assert.rejects(verified(whole), VerificationFailed));
    assert.equal(await place.documents.get(BESIDE_FAILURES, ids[0]!), null);
    assert.ok(await place.documents.get(BESIDE_FAILURES, broken));
    await verified(whole);
    assert.equal(await place.documents.get(BESIDE_FAILURES, broken), null);
  });
});
