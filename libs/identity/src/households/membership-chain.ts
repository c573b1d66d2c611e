import { createHash } from 'node:crypto';
import { EVERY_KEY, keysUnder } from '#storage/documents/declared';
import type { Documents } from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import {
  HOUSEHOLDS,
  logKey,
  MEMBERSHIP_LOG,
  SETTLED_INVITE_KEPT_MS,
  SETTLED_INVITES,
  type HouseholdRecord,
  type Member,
  type MembershipEntry,
  type SettledInvite,
} from './household-records.js';

const PAGE = 500;

/** SHA-256 over an entry of a household's membership log, in hexadecimal: what the next entry carries. */
export function hashOfEntry(householdId: string, entry: MembershipEntry): string {
  const { sequence, at, by, kind, userId = null, role = null, currency = null } = entry;
  const { inviteId = null, status = null, previousHash } = entry;
  const content = [
    householdId,
    sequence,
    at,
    by,
    kind,
    userId,
    role,
    currency,
    inviteId,
    status,
    previousHash,
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** A difference between a household's memberships and its membership log. */
export interface MembershipFinding {
  readonly householdId: string;
  /**
   * `broken`: an entry does not follow the one before it, or the last is not the one that the household names; `member`: a
   * user has a role that the log does not give, or lacks one that it gives.
   */
  readonly kind: 'broken' | 'member';
  /** Of the entry that does not follow; null for a member. */
  readonly sequence: number | null;
  readonly userId: string | null;
  /** The role that the log gives; null for none. */
  readonly logged: Member['role'] | null;
  /** The role that the user has; null for none. */
  readonly present: Member['role'] | null;
}

/**
 * The findings of each household, one household after the other.
 * @param householdId this one only; every household when absent
 * @throws DocumentsUnavailable
 */
export async function* membershipFindings(
  documents: Documents,
  householdId?: string,
): AsyncGenerator<readonly MembershipFinding[]> {
  const range = householdId === undefined ? EVERY_KEY : { from: householdId, before: `${householdId}|` };
  for await (const page of pagesOf(documents, HOUSEHOLDS, range, PAGE)) {
    for (const record of page) yield verifyMemberships(documents, record);
  }
}

/**
 * Compares the log of a household with the present memberships. @throws DocumentsUnavailable
 * @param record read before the log: what is copied to the log meanwhile is found there
 */
export async function verifyMemberships(
  documents: Documents,
  record: HouseholdRecord,
): Promise<MembershipFinding[]> {
  const householdId = record.key;
  // An earlier version serves it.
  if (record.logHash === undefined) return [];
  const findings: MembershipFinding[] = [];
  const none = { householdId, sequence: null, userId: null, logged: null, present: null };
  const roles = new Map<string, Member['role']>();
  let last = { sequence: 0, hash: null as string | null };
  let broken: number | null = null;
  const follow = (entry: MembershipEntry): void => {
    const { sequence, previousHash, kind, userId, role } = entry;
    if (sequence !== last.sequence + 1 || previousHash !== last.hash) broken ??= sequence;
    last = { sequence, hash: hashOfEntry(householdId, entry) };
    if (userId === undefined) return;
    if (kind === 'member_left' || kind === 'member_removed') roles.delete(userId);
    else if (role !== undefined) roles.set(userId, role);
  };
  for await (const page of pagesOf(documents, MEMBERSHIP_LOG, keysUnder(householdId), PAGE)) {
    for (const entry of page) if (entry.sequence <= record.sequence) follow(entry);
  }
  for (const entry of record.unlogged) if (entry.sequence > last.sequence) follow(entry);
  if (last.hash !== record.logHash) broken ??= record.sequence;
  if (broken !== null) findings.push({ ...none, kind: 'broken', sequence: broken });
  const present = new Map(record.members.map(({ userId, role }) => [userId, role]));
  for (const userId of [...new Set([...roles.keys(), ...present.keys()])].sort()) {
    const [logged, now] = [roles.get(userId) ?? null, present.get(userId) ?? null];
    if (logged !== now) findings.push({ ...none, kind: 'member', userId, logged, present: now });
  }
  return findings;
}

/** An entry of a former release: it holds names and addresses, and no hash. */
type FormerEntry = Omit<MembershipEntry, 'previousHash' | 'status'> & {
  readonly name?: string;
  readonly settled?: SettledInvite;
};

/** Chains the logs of a former release by hashes, and moves names and addresses beside them. May be interrupted. */
export async function chainMembershipLogs(documents: Documents): Promise<void> {
  for await (const page of pagesOf(documents, HOUSEHOLDS, EVERY_KEY, PAGE)) {
    for (const record of page) if (record.logHash === undefined) await chainLog(documents, record);
  }
}

async function chainLog(documents: Documents, record: HouseholdRecord): Promise<void> {
  const householdId = record.key;
  const former = new Map<number, FormerEntry>();
  for await (const page of pagesOf(documents, MEMBERSHIP_LOG, keysUnder(householdId), PAGE)) {
    for (const entry of page) former.set(entry.sequence, entry);
  }
  for (const entry of record.unlogged as readonly FormerEntry[]) former.set(entry.sequence, entry);
  let logHash: string | null = null;
  for (const { name: _, settled, ...kept } of former.values()) {
    const status = settled && { status: settled.status };
    const entry = { ...kept, ...status, previousHash: logHash };
    const key = logKey(householdId, entry.sequence);
    if (settled) await documents.put(SETTLED_INVITES, [settledRecord(householdId, settled)]);
    await documents.put(MEMBERSHIP_LOG, [{ ...entry, householdId, key, revision: 2 }]);
    logHash = hashOfEntry(householdId, entry);
  }
  const next = { ...record, logHash, unlogged: [], settled: [], revision: record.revision + 1 };
  await documents.replace(HOUSEHOLDS, next, record.revision);
}

/** An ended invite as it is kept for the landing page of its link. */
export function settledRecord(householdId: string, invite: SettledInvite) {
  const expiresAt = invite.settledAt + SETTLED_INVITE_KEPT_MS;
  return { ...invite, householdId, key: invite.id, revision: 1, expiresAt };
}
