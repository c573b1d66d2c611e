import type { Documents } from '#storage/documents/documents';
import { MEMBERSHIP_LOG, SETTLED_INVITES, type SettledInviteRecord } from './household-records.js';

const BATCH = 500;

/** Removes what stands beside the record of an erased household. May be repeated. @throws DocumentsUnavailable */
export async function removeHouseholdTraces(documents: Documents, householdId: string): Promise<void> {
  await documents.removePrefix(MEMBERSHIP_LOG, `${householdId}|`);
  const query = { index: 'household', equals: { householdId }, limit: BATCH };
  let settled: readonly SettledInviteRecord[];
  do {
    settled = await documents.query(SETTLED_INVITES, query);
    for (const { key } of settled) await documents.remove(SETTLED_INVITES, key);
  } while (settled.length === BATCH);
}
