import type { Collection, Document } from '#storage/documents/documents';
import { foldEmail } from '../accounts/email-address.js';
import type { RepeatableRecord } from '../repeatable-changes.js';

export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** A member of a household. Times are milliseconds since the epoch. */
export interface Member {
  readonly userId: string;
  readonly role: Role;
  readonly joinedAt: number;
}

/** How long an invite can be accepted after it was sent. */
export const INVITE_MS = 7 * 24 * 3_600_000;

/** An invite that waits for an answer. */
export interface PendingInvite {
  readonly id: string;
  /** As it was typed. */
  readonly email: string;
  readonly inviterId: string;
  readonly createdAt: number;
  /** From then on it counts as expired, whether or not that was recorded. */
  readonly endsAt: number;
  /** The secret of the link; readable to members, since accepting needs the matching address anyway. */
  readonly token: string;
}

export const INVITE_STATUSES = ['pending', 'accepted', 'declined', 'revoked', 'replaced', 'expired'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];
export type SettledStatus = Exclude<InviteStatus, 'pending'>;

/** How an invite ended. */
export interface SettledInvite extends PendingInvite {
  readonly status: SettledStatus;
  readonly settledAt: number;
}

/** One line of the append-only log of memberships and invites. Names and addresses stand beside it, to be erasable. */
export interface MembershipEntry {
  /** Counts up from 1 in each household. */
  readonly sequence: number;
  readonly at: number;
  /** Who did it; null where time did. */
  readonly by: string | null;
  readonly kind:
    | 'household_created'
    | 'household_renamed'
    | 'currency_changed'
    | 'household_archived'
    | 'household_unarchived'
    | 'member_joined'
    | 'member_left'
    | 'member_removed'
    | 'role_changed'
    | 'invite_sent'
    | 'invite_settled';
  /** The member concerned. */
  readonly userId?: string;
  readonly role?: Role;
  /** The new one, where it was changed. */
  readonly currency?: string;
  readonly inviteId?: string;
  /** How the invite ended, where this entry is its end. */
  readonly status?: SettledStatus;
  /** Of the entry before, as `hashOfEntry` makes it; null for the first. */
  readonly previousHash: string | null;
}

/** A household with its members and pending invites: one record, so that its rules hold. The key is its id. */
export interface HouseholdRecord extends RepeatableRecord {
  readonly name: string;
  /** Its code of ISO 4217: says what the minor units of every amount are. */
  readonly currency: string;
  /** The user whose personal household this is. */
  readonly personalOf: string | null;
  readonly archived: boolean;
  readonly createdAt: number;
  readonly members: readonly Member[];
  readonly invites: readonly PendingInvite[];
  /** The sequence of the latest log entry. */
  readonly sequence: number;
  /** The log entries of the last change, which may not have reached the log yet. */
  readonly unlogged: readonly MembershipEntry[];
  /** The hash of the latest log entry. */
  readonly logHash: string | null;
  /** The invites that the last change settled, which may not stand beside the log yet. */
  readonly settled: readonly SettledInvite[];
  /** Copies for the indexes: of `members`, and of `invites` with `settled`. */
  readonly memberIds: readonly string[];
  readonly inviteIds: readonly string[];
  readonly inviteTokens: readonly string[];
  /** True while an invite is pending, else null, which keeps the record out of the index. */
  readonly inviting: true | null;
  /** When the earliest pending invite ends, as an ISO timestamp. */
  readonly inviteEndsFirst: string | null;
}

export const HOUSEHOLDS: Collection<HouseholdRecord> = {
  name: 'households',
  durability: 'durable',
  indexes: [
    { name: 'member', equals: ['memberIds'], list: 'memberIds' },
    { name: 'invite_email', equals: ['inviteMailboxes'], list: 'inviteMailboxes' },
    { name: 'invite_id', equals: ['inviteIds'], list: 'inviteIds' },
    { name: 'invite_token', equals: ['inviteTokens'], list: 'inviteTokens' },
    { name: 'invite_end', equals: ['inviting'], sort: 'inviteEndsFirst' },
  ],
  indexed: ({ invites }) => ({ inviteMailboxes: invites.map(({ email }) => foldEmail(email)) }),
};

/** The key is `household|sequence`, the sequence in fixed width. Entries are never changed or removed. */
interface MembershipLogEntry extends MembershipEntry, Document {
  readonly householdId: string;
}

export const MEMBERSHIP_LOG: Collection<MembershipLogEntry> = {
  name: 'membership_log',
  durability: 'durable',
  indexes: [],
};

/** The digits of a sequence in the log's keys. */
const SEQUENCE_DIGITS = 10;

export function logKey(householdId: string, sequence: number): string {
  return `${householdId}|${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`;
}

/** How long the landing page of an ended invite says how it ended. */
export const SETTLED_INVITE_KEPT_MS = 90 * 24 * 3_600_000;

/** An invite that ended, for the landing page of its link. The key is the invite's id. */
interface SettledInviteRecord extends SettledInvite, Document {
  readonly householdId: string;
}

export const SETTLED_INVITES: Collection<SettledInviteRecord> = {
  name: 'settled_invites',
  durability: 'durable',
  indexes: [
    { name: 'token', equals: ['token'] },
    { name: 'household', equals: ['householdId'] },
  ],
};

/** A household as it was stored: those made before there were currencies have none. */
export type StoredHousehold = Omit<HouseholdRecord, 'currency'> & Partial<Pick<HouseholdRecord, 'currency'>>;
