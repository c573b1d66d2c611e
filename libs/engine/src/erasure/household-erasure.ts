import type { Documents } from '#storage/documents/documents';
import { Erasures } from '#storage/documents/erasures';
import { NO_STREAM, WrongExpectedRevision, type EventStore } from '#storage/event-store/event-store';
import { hashOf, lastEventOf, streamOf } from '../households/household-stream.js';
import type { LiveStreams } from '../versions/live-streams.js';
import { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { BESIDE_FAILURES, everyCollectionOf, readActiveVersion } from '../versions/active-version.js';
import { Snapshots } from '../households/snapshots.js';
import { StoredFailures } from '../projector/failing-households.js';

/** Deletes for good what there is of a household's budget: its stream, and all that was made of it. */
export class HouseholdErasure {
  private readonly erasures: Erasures;

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly streams: Pick<LiveStreams, 'work' | 'forget'>,
  ) {
    this.erasures = new Erasures(documents);
  }

  /** May be repeated. @throws EventStoreUnavailable, DocumentsUnavailable, ReadModelsUnconfirmed, QueueFull */
  async erase(householdId: string): Promise<void> {
    await this.streams.work(householdId, async streams => {
      try {
        await streams.inTurn(householdId, async () => {
          await streams.snapshotsEnded(householdId);
          await this.deleteStream(householdId);
          this.streams.forget(householdId);
          await removeHouseholdDocuments(this.documents, householdId);
        });
      } finally {
        this.streams.forget(householdId);
      }
    });
  }

  /**
   * To be called after documents were written outside of the turn in which `erase` works: removes them again where the
   * household was erased meanwhile. Never rejects: `erase` is repeated after a while as well.
   */
  async removeIfErased(householdId: string): Promise<void> {
    try {
      if (!(await this.erasures.find(householdId))) return;
      this.streams.forget(householdId);
      await removeHouseholdDocuments(this.documents, householdId);
    } catch {
      // The store is away.
    }
  }

  /** Notes the last event first, which commands of other processes may move on meanwhile. */
  private async deleteStream(householdId: string): Promise<void> {
    const stream = streamOf(householdId);
    for (;;) {
      const last = await lastEventOf(this.store, householdId);
      if (last) {
        const head = { revision: last.revision, hash: hashOf(stream, last) };
        await this.erasures.change(householdId, { head });
      }
      try {
        return await this.store.deleteStream(stream, last?.revision ?? NO_STREAM);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }
}

/** Removes every document that was made of a household's events, in every version. @throws DocumentsUnavailable */
async function removeHouseholdDocuments(documents: Documents, householdId: string): Promise<void> {
  const { active, beside, rebuild } = await readActiveVersion(documents);
  const versions = [active, beside?.version, rebuild?.version].filter(version => version !== undefined);
  const collections = [...[...new Set(versions)].flatMap(everyCollectionOf), ...Snapshots.collections];
  // Their keys are, or begin with, the id of a household.
  await documents.ensure(collections);
  for (const collection of collections) await documents.removePrefix(collection, householdId);
  await documents.removePrefix(IdempotencyKeys.collection, `${householdId}|`);
  await documents.remove(StoredFailures.collection, StoredFailures.keyOf(householdId));
  await documents.remove(BESIDE_FAILURES, householdId);
}
