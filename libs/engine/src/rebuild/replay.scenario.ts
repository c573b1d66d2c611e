// Read models that are built beside those of a workplace.
import { BESIDE_FAILURES } from '../versions/active-version.js';
import { STREAM_PREFIX } from '../households/household-stream.js';
import { HouseholdStreams } from '../households/household-streams.js';
import { readModelsOf } from '../households/read-models.js';
import {
  createMonth,
  envelope,
  freshId,
  workplace,
  type Workplace,
  CommandStreams,
} from '../households/streams.scenario.js';
import { StoredFailures } from '../projector/failing-households.js';
import { REBUILD_CHECKPOINTS, Replay } from './replay.js';

type ReplayOptions = ConstructorParameters<typeof Replay>[3];

/** A set of read models that is built, and a replay that builds it. */
export interface Building {
  readonly builder: CommandStreams;
  /** A replay as of another process. */
  replay(options?: Partial<ReplayOptions>): Replay;
}

/** Stores in which a rebuild can keep what it keeps. */
export async function rebuildWorkplace(): Promise<Workplace> {
  const place = await workplace();
  await place.documents.ensure([REBUILD_CHECKPOINTS, BESIDE_FAILURES, StoredFailures.collection]);
  return place;
}

export async function building({ store, documents }: Workplace, generation: number): Promise<Building> {
  const models = readModelsOf(generation);
  await documents.ensure(HouseholdStreams.collections(models));
  const builder = new CommandStreams(store, documents, models);
  return {
    builder,
    replay: options =>
      new Replay(store, documents, builder, {
        id: `rebuild-${generation}`,
        shared: false,
        signal: new AbortController().signal,
        bulkEventsMax: undefined,
        advanced: async () => undefined,
        onFailure: async (_household, error) => {
          throw error;
        },
        ...options,
      }),
  };
}

/** Households of one month. @returns their ids, in the order of the log and of their keys */
export async function households(place: Workplace, count: number): Promise<readonly string[]> {
  const streams = place.instance();
  const ids = Array.from({ length: count }, freshId);
  for (const id of ids) await streams.execute(id, createMonth('2026-01'), envelope());
  return ids;
}

export async function endOf({ store }: Workplace): Promise<string> {
  return (await store.head(STREAM_PREFIX))!;
}
