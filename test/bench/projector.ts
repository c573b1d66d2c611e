// A process that projects a log into empty read models, and one that merely reads it.
import { setFlagsFromString } from 'node:v8';
import { join } from 'node:path';
import { ProjectionHost } from '#background/projection-host';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import { HouseholdStreams } from '#streams/household-streams';
import { FIRST_VERSION, readModelsOf } from '#streams/read-models';
import { STREAM_PREFIX } from '#streams/household-stream';
import { timedCatchUp } from './timed-catch-up.js';
import { offer } from './worker-process.js';

const MIB = 1024 * 1024;
/** That of the server. */
const VIEWS_THREAD = new URL('../../libs/runtime/src/views-writer.js', import.meta.url);
const SILENT = {
  info: () => undefined,
  error: (message: string, fields: object) => console.error(message, fields),
};

/** Reads and parses the log in a directory. @returns events a second */
async function read(directory: string): Promise<number> {
  const store = SqliteEventStore.open({ file: join(directory, 'events.db') });
  const begun = performance.now();
  const events = await count(store);
  const seconds = (performance.now() - begun) / 1000;
  await store.close();
  return events / seconds;
}

async function count(store: SqliteEventStore): Promise<number> {
  let events = 0;
  for await (const page of store.readAll({ prefix: STREAM_PREFIX })) events += page.length;
  return events;
}

/** Folds and projects the log in a directory into empty read models. @returns events a second */
async function project({ directory, events }: { directory: string; events: number }): Promise<number> {
  const store = SqliteEventStore.open({ file: join(directory, 'events.db') });
  const { documents, streams } = await opened(store, directory);
  const host = new ProjectionHost(store, documents, streams, { log: SILENT, name: 'bench' });
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
  const store = SqliteEventStore.open({ file: join(directory, 'events.db') });
  const { documents, streams } = await opened(store, directory);
  // So that what is prepared once does not count.
  await streams.load('01K00000000000000000000000');
  const before = used();
  await streams.load(householdId);
  const bytes = used() - before;
  await documents.close();
  await store.close();
  return bytes / MIB;
}

async function opened(
  store: SqliteEventStore,
  directory: string,
): Promise<{ documents: SqliteDocuments; streams: HouseholdStreams }> {
  const documents = SqliteDocuments.openWritingBehind({ directory }, VIEWS_THREAD);
  const models = readModelsOf(FIRST_VERSION);
  await documents.ensure([
    ...HouseholdStreams.collections(models),
    ProjectionHost.checkpoints,
    ProjectionHost.failures,
  ]);
  return { documents, streams: new HouseholdStreams(store, documents, models) };
}

// As every server does.
const functions = { read, project, stateSize };
export type Projector = typeof functions;
offer(functions);
