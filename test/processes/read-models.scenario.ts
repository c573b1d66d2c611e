import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Documents } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import type { EventStore } from '#storage/event-store/event-store';
import { streamOf } from '#engine/households/household-stream';
import { HouseholdStreams } from '#engine/households/household-streams';
import { collectionsOf, FIRST_VERSION, readModelsOf } from '#engine/households/read-models';

const PAGE = 5_000;
const MODELS = readModelsOf(FIRST_VERSION);

/** Whether the months of a household show its latest event, which must be one that changes a figure. */
export async function reflectsEverything(
  store: EventStore,
  documents: Documents,
  householdId: string,
): Promise<boolean> {
  const range = { from: `${householdId}|`, before: `${householdId}}`, limit: PAGE };
  const months = await documents.range(MODELS.months, range);
  const shown = Math.max(-1, ...months.map(({ revision }) => revision));
  const last = { direction: 'backwards', limit: 1 } as const;
  for await (const [event] of store.readStream(streamOf(householdId), last)) {
    return event !== undefined && shown >= event.revision;
  }
  return false;
}

/** Asserts that the read models of households are, byte for byte, what their events make from nothing. */
export async function assertSameReadModels(
  store: EventStore,
  documents: Documents,
  householdIds: readonly string[],
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'fold-'));
  const fresh = LedgerDatabase.open({ directory }).documents;
  try {
    await fresh.ensure(HouseholdStreams.collections(MODELS));
    const streams = new HouseholdStreams(store, fresh, MODELS);
    for (const householdId of householdIds) {
      await streams.catchUp(householdId);
      const [live, folded] = await Promise.all([
        everything(documents, householdId),
        everything(fresh, householdId),
      ]);
      assert.ok(folded.length > 0, `${householdId} has documents`);
      assert.equal(live.join('\n'), folded.join('\n'), householdId);
    }
    await streams.settle();
  } finally {
    await fresh.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function everything(documents: Documents, householdId: string): Promise<string[]> {
  const lines: string[] = [];
  for (const collection of collectionsOf(MODELS)) {
    // It only bounds how much is applied again, and may lag.
    if (collection === MODELS.heads) continue;
    for (let from = householdId; ;) {
      const page = await documents.range(collection, { from, before: `${householdId}~`, limit: PAGE });
      lines.push(...page.map(document => `${collection.name} ${JSON.stringify(document)}`));
      if (page.length < PAGE) break;
      from = `${page.at(-1)!.key}\u0020`;
    }
  }
  return lines;
}
