import type { Documents } from '#storage/documents/documents';
import { MongoDocuments } from '#storage/mongodb/mongo-documents';
import type { EventStore } from '#storage/event-store/event-store';
import { EventStoreDbEventStore } from '#storage/eventstoredb/eventstoredb-event-store';
import { LeasedPartitions } from '#engine/projector/leased-partitions';
import { PROJECTION_NAME } from '#engine/projector/partitions';
import { HouseholdStreams } from '#engine/households/household-streams';
import { FIRST_VERSION, readModelsOf } from '#engine/households/read-models';
import type { Servers } from './cluster.scenario.js';
import { assertSameReadModels, reflectsEverything } from './read-models.scenario.js';

const PAGE = 5_000;
const MODELS = readModelsOf(FIRST_VERSION);

/** What several processes keep on their servers, read past them. */
export class ReadModelsView {
  private constructor(
    readonly store: EventStore,
    private readonly documents: Documents,
  ) {}

  static async open({ eventStoreUrl, mongodbUrl }: Servers): Promise<ReadModelsView> {
    const store = EventStoreDbEventStore.open({ url: eventStoreUrl });
    const view = new ReadModelsView(store, MongoDocuments.open({ url: mongodbUrl }));
    await view.documents.ensure([
      ...HouseholdStreams.collections(MODELS),
      LeasedPartitions.leases,
      LeasedPartitions.workers,
    ]);
    return view;
  }

  async close(): Promise<void> {
    await this.documents.close();
    await this.store.close();
  }

  /** How many partitions each projector works on, by what it calls itself. */
  async partitionsByOwner(): Promise<ReadonlyMap<string, number>> {
    const range = { from: `${PROJECTION_NAME}|`, before: `${PROJECTION_NAME}}`, limit: PAGE };
    const partitions = new Map<string, number>();
    for (const { owner } of await this.documents.range(LeasedPartitions.leases, range)) {
      if (owner !== null) partitions.set(owner, (partitions.get(owner) ?? 0) + 1);
    }
    return partitions;
  }

  /** See `reflectsEverything`. */
  async reflectsEverything(householdId: string): Promise<boolean> {
    return reflectsEverything(this.store, this.documents, householdId);
  }

  /** See `assertSameReadModels`. */
  async assertEqualToFold(householdIds: readonly string[]): Promise<void> {
    await assertSameReadModels(this.store, this.documents, householdIds);
  }
}
