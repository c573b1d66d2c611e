import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NO_HOUSEHOLD } from '#ledger/household';
import { EventStoreUnavailable, type EventStore, type RecordedEvent } from '#storage/event-store/event-store';
import { STREAM_PREFIX, streamOf } from '../households/household-stream.js';
import { HouseholdStreams } from '../households/household-streams.js';
import { readModelsOf, type ReadModels } from '../households/read-models.js';
import {
  createMonth,
  envelope,
  everyDocument,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
  CommandStreams,
} from '../households/streams.scenario.js';
import { AHEAD_EVENTS, CatchUp } from './catch-up.js';

describe('going ahead of the log', () => {
  const households = [freshId(), freshId()] as const;
  let place: Workplace;
  let log: readonly RecordedEvent[];
  let generation = 1;

  const going = (): boolean => false;

  /** Read models that hold nothing yet. */
  async function emptyModels(): Promise<ReadModels> {
    const models = readModelsOf((generation += 1));
    await place.documents.ensure(HouseholdStreams.collections(models));
    return models;
  }

  async function events(): Promise<readonly RecordedEvent[]> {
    const all: RecordedEvent[] = [];
    for await (const page of place.store.readAll({ prefix: STREAM_PREFIX })) all.push(...page);
    return all;
  }

  function of(household: string): readonly RecordedEvent[] {
    return log.filter(({ stream }) => stream === streamOf(household));
  }

  before(async () => {
    place = await workplace();
    const streams = place.instance();
    for (const household of households) await streams.execute(household, createMonth('2026-01'), envelope());
    for (let count = 0; count < 20; count++) {
      for (const household of households) await streams.execute(household, expense(freshId()), envelope());
    }
    log = await events();
  });
  after(() => place.close());

  for (const [how, bulkEventsMax] of [
    ['at once', undefined],
    ['in steps', 0],
  ] as const) {
    it(`applies ${how} what comes later for a household, and the log passes over it`, () =>
      passesOver(bulkEventsMax));
  }

  async function passesOver(bulkEventsMax: number | undefined): Promise<void> {
    const [first, second] = households;
    const models = await emptyModels();
    const built = new CommandStreams(place.store, place.documents, models);
    const ahead = new CatchUp(built, going, false, bulkEventsMax);
    const last = of(first).at(-1)!.revision;
    const { digest, ...reached } = await ahead.apply(first, [of(first)[0]!]);
    assert.deepEqual(reached, { revision: last, events: of(first).length });
    assert.equal(digest !== undefined, bulkEventsMax === undefined);
    assert.equal((await place.documents.get(models.untrackedCounts, first))?.count, 20);
    assert.ok(ahead.includes(first, last));
    assert.ok(!ahead.includes(first, last + 1));
    assert.ok(!ahead.includes(second, 0));

    await ahead.apply(second, [of(second)[0]!]);
    assert.deepEqual(
      await everyDocument(place.documents, models),
      await everyDocument(place.documents, MODELS),
    );
    ahead.forget();
    assert.ok(!ahead.includes(first, last));
  }

  it('tells no digest of what was made where more had to be applied', async () => {
    const streams = {
      advance: async () => ({ events: 1, revision: 3, isEnd: true, digest: 'of the first four' }),
      catchUp: async () => ({ ...NO_HOUSEHOLD, revision: 4 }),
    };
    const ahead = new CatchUp(streams, going);
    const reached = await ahead.apply(households[0], [{ ...log[0]!, revision: 4 }]);
    assert.deepEqual(reached, { revision: 4, events: 1 });
  });

  it('applies what was delivered where the stream cannot be read up to there yet', async () => {
    const [household] = households;
    const models = await emptyModels();
    const unread = Object.create(place.store, {
      readStream: { value: async function* (): AsyncGenerator<never> {} },
    }) as EventStore;
    const ahead = new CatchUp(new CommandStreams(unread, place.documents, models), going);
    const reached = await ahead.apply(household, of(household).slice(0, 5));
    assert.deepEqual(reached, { revision: 4, events: 0 });
    assert.equal((await place.documents.get(models.untrackedCounts, household))?.count, 4);
  });

  it('leaves the turn to others after so many events, but not before those that it was given', async () => {
    let revision = -1;
    const streams = {
      advance: async () => ({ events: 1_000, revision: (revision += 1_000), isEnd: false }),
      catchUp: () => assert.fail('everything can be read'),
    };
    const at = (place: number): RecordedEvent => ({ ...log[0]!, revision: place });
    assert.ok(
      (await new CatchUp(streams, going).apply(households[0], [at(0)])).events < AHEAD_EVENTS + 1_000,
    );
    revision = -1;
    const far = 3 * AHEAD_EVENTS;
    const reached = await new CatchUp(streams, going).apply(households[0], [at(0), at(far)]);
    assert.ok(reached.revision >= far);
  });

  it('ends between two steps when it is stopped, and says how far it has come', async () => {
    let stopped = false;
    const streams = {
      advance: async () => {
        stopped = true;
        return { events: 1_000, revision: 999, isEnd: false };
      },
      catchUp: () => assert.fail('everything can be read'),
    };
    const ahead = new CatchUp(streams, () => stopped);
    const reached = await ahead.apply(households[0], [{ ...log[0]!, revision: 5_000 }]);
    assert.deepEqual(reached, { revision: 999, events: 1_000 });
    assert.ok(!ahead.includes(households[0], 1_000));
  });

  it('never takes for applied what neither the stream nor the delivery holds', async () => {
    const streams = {
      advance: async () => ({ events: 0, revision: 3, isEnd: true }),
      catchUp: async () => ({ ...NO_HOUSEHOLD, revision: 3 }),
    };
    const ahead = new CatchUp(streams, going);
    await assert.rejects(ahead.apply(households[0], [{ ...log[0]!, revision: 9 }]), EventStoreUnavailable);
    assert.ok(!ahead.includes(households[0], 9));
  });

  it('applies nothing again that the head says is there', async () => {
    const [household] = households;
    const models = await emptyModels();
    const first = new CommandStreams(place.store, place.documents, models);
    const { revision } = await new CatchUp(first, going).apply(household, [of(household)[0]!]);
    await place.documents.put(models.heads, [{ key: household, revision }]);
    const again = new CommandStreams(place.store, place.documents, models);
    const reached = await new CatchUp(again, going).apply(household, [of(household)[0]!]);
    assert.deepEqual(reached, { revision, events: 0 });
  });
});
