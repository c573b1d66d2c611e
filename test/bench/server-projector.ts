// A process that projects the log of an event store into an empty MongoDB, as a projector does.
import { ProjectionHost } from '#engine/projector/projection-host';
import { LeasedPartitions } from '#engine/projector/leased-partitions';
import { MongoDocuments } from '#storage/mongodb/mongo-documents';
import { EventStoreDbEventStore } from '#storage/eventstoredb/eventstoredb-event-store';
import { HouseholdStreams } from '#engine/households/household-streams';
import { FIRST_VERSION, readModelsOf } from '#engine/households/read-models';
import { timedCatchUp } from './timed-catch-up.js';
import { offer } from './worker-process.js';

const LOG = {
  info: () => undefined,
  error: (fields: object, message: string) => console.error(message, fields),
};

interface Projected {
  readonly eventStoreUrl: string;
  /** Of a database that nothing was projected into. */
  readonly mongodbUrl: string;
  readonly events: number;
}

/** @returns events a second, from the start until it is caught up */
async function project({ eventStoreUrl, mongodbUrl, events }: Projected): Promise<number> {
  const store = EventStoreDbEventStore.open({ url: eventStoreUrl });
  const documents = MongoDocuments.open({ url: mongodbUrl });
  const models = readModelsOf(FIRST_VERSION);
  await documents.ensure([
    ...HouseholdStreams.collections(models),
    ProjectionHost.checkpoints,
    ProjectionHost.failures,
    LeasedPartitions.leases,
    LeasedPartitions.workers,
  ]);
  const streams = new HouseholdStreams(store, documents, models);
  const leases = new LeasedPartitions(documents, 'bench', LOG);
  const host = new ProjectionHost(store, documents, streams, { log: LOG, ownership: leases });
  const perSecond = await timedCatchUp(host, events);
  await streams.settle();
  await documents.close();
  await store.close();
  return perSecond;
}

// As every projector does.
const functions = { project };
export type ServerProjector = typeof functions;
offer(functions);
