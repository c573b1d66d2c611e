import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { NO_STREAM, type EventStore } from '../event-store.js';
import {
  PROPERTY_RUNS,
  assertGrowing,
  idsOf,
  newEvent,
  newEvents,
  readEvents,
  wrongRevision,
  type Context,
} from './streams.fixture.js';

/** One append of a random history: where it expects the stream to be, and which of the ids it gives are past ones. */
interface RandomAppend {
  readonly stream: number;
  /** The expected revision, counted back from the true one. */
  readonly back: number;
  /** How many past ids it begins with, and how many new ones follow. */
  readonly past: number;
  readonly fresh: number;
}

export function describeProperties({ names, store }: Context): void {
  const STREAMS = 3;
  const randomAppend = fc.record<RandomAppend>({
    stream: fc.nat(STREAMS - 1),
    back: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: -2, max: 8 }) },
    ),
    past: fc.oneof(fc.constant(0), fc.nat(4)),
    fresh: fc.nat(3),
  });

  it('decides as the model decides, and keeps the order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(randomAppend, { maxLength: 5 }), { maxLength: 12 }),
        async rounds => {
          const prefix = names.prefix();
          const model = Array.from({ length: STREAMS }, () => new StreamModel());
          for (const round of rounds) {
            const concurrent = round.filter(
              ({ stream }, index) => round.findIndex(other => other.stream === stream) === index,
            );
            await Promise.all(
              concurrent.map(append => compare(store(), `${prefix}${append.stream}`, model, append)),
            );
          }
          const all = await readEvents(store().readAll({ prefix }));
          assertGrowing(all);
          for (const [index, { ids }] of model.entries()) {
            const stored = await readEvents(store().readStream(`${prefix}${index}`));
            assert.deepEqual(idsOf(stored), ids);
            assert.deepEqual(
              all.filter(({ stream }) => stream === `${prefix}${index}`),
              stored,
            );
          }
        },
      ),
      { numRuns: PROPERTY_RUNS },
    );
  });
}

/** The ids of a stream, and the decision of `CheckCommit` on them. */
class StreamModel {
  readonly ids: string[] = [];

  /** @returns the revision answered, or undefined for a refusal */
  append(expected: number, ids: readonly string[]): number | undefined {
    const last = this.ids.length - 1;
    if (expected > last) return undefined;
    if (expected === last) this.ids.push(...ids);
    else if (ids.some((id, index) => this.ids[expected + 1 + index] !== id)) return undefined;
    return expected + ids.length;
  }
}

async function compare(
  store: EventStore,
  stream: string,
  model: StreamModel[],
  append: RandomAppend,
): Promise<void> {
  const streamModel = model[append.stream] as StreamModel;
  const actual = streamModel.ids.length - 1;
  const expected = Math.max(NO_STREAM, actual - append.back);
  const past = streamModel.ids.slice(expected + 1, expected + 1 + append.past).map(id => newEvent({ id }));
  const events = [...past, ...newEvents(past.length === 0 ? append.fresh + 1 : append.fresh)];
  const answer = streamModel.append(expected, idsOf(events));
  if (answer === undefined) {
    await assert.rejects(store.append(stream, expected, events), wrongRevision(stream, expected, actual));
    return;
  }
  const { revision, position } = await store.append(stream, expected, events);
  assert.equal(revision, answer);
  const [last] = await readEvents(store.readStream(stream, { from: revision, limit: 1 }));
  assert.deepEqual([last?.position, last?.id], [position, events.at(-1)?.id]);
}
