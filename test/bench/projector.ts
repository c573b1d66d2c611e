// A process that projects a log into empty read models, and one that merely reads it.
import { setFlagsFromString } from 'node:v8';
import { ProjectionHost } from '#engine/projector/projection-host';
import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { HouseholdStreams } from '#engine/households/household-streams';
import { FIRST_VERSION, readModelsOf } from '#engine/households/read-models';
import { STREAM_PREFIX } from '#engine/households/household-stream';
import { timedCatchUp } from './timed-catch-up.js';
import { offer } from './worker-process.js';

const MIB = 1024 * 1024;
const SILENT = {
  info: () => undefined,
  error: (fields: object, message: string) => console.error(message, fields),
};

/** Reads and parses the log in a directory. @returns events a second */
async function read(directory: string): Promise<number> {
  const store = LedgerDatabase.open({ directory }).eventStore;
  const begun = performance.now();
  const events = await count(store);
  const seconds = (performance.now() - begun) / 1000;
  await store.close();
  return events / seconds;
}

async function count(store: EventStore): Promise<number> {
  let events = 0;
  for await (const page of store.readAll({ prefix: STREAM_PREFIX })) {
    // Their JSON is parsed when it is asked for.
    events += page.filter(({ data, metadata }) => data !== null && metadata !== null).length;
  }
  return events;
}

/** Folds and projects the log in a directory into empty read models. @returns events a second */
async function project({ directory, events }: { directory: string; events: number }): Promise<number> {
  const { store, documents, streams } = await opened(directory);
  const host = new ProjectionHost(store, documents, streams, { log: SILENT });
  const perSecond = await timedCatchUp(host, events);
  await streams.settle();
  await documents.close();
  await store.close();
  return perSecond;
}

/** What the state of one household costs in this process's memory. @returns MiB */
async function stateSize({
  directory,
  householdId,
}: {
  directory: string;
  householdId: string;
}): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = (await import('node:vm')).runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const { store, documents, streams } = await opened(directory);
  // So that what is prepared once does not count.
  await streams.catchUp('01K00000000000000000000000');
  const before = used();
  await streams.catchUp(householdId);
  const bytes = used() - before;
  await documents.close();
  await store.close();
  return bytes / MIB;
}

async function opened(
  directory: string,
): Promise<{ store: EventStore; documents: Documents; streams: HouseholdStreams }> {
  const { eventStore: store, documents } = LedgerDatabase.open({ directory });
  const models = readModelsOf(FIRST_VERSION);
  await documents.ensure([
    ...HouseholdStreams.collections(models),
    ProjectionHost.checkpoints,
    ProjectionHost.failures,
  ]);
  return { store, documents, streams: new HouseholdStreams(store, documents, models) };
}

// As every server does.
const functions = { read, project, stateSize };
export type Projector = typeof functions;
offer(functions);
