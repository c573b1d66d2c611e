import { ApiError, notFound, limitReached } from '#http/api-error';
import { foldEmail } from '../accounts/email-address.js';
import type {
  HouseholdRecord,
  Member,
  MembershipEntry,
  PendingInvite,
  Role,
  SettledInvite,
  SettledStatus,
} from './household-records.js';
import { hashOfEntry } from './membership-chain.js';

/** The most members of a household: the list of members is not paged. */
export const MEMBERS_MAX = 100;
/** The most pending invites of a household. */
export const PENDING_INVITES_MAX = 100;

/** What a household begins with. */
interface NewHousehold {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly ownerId: string;
  readonly personal: boolean;
  readonly now: number;
}

/** What a log entry says beyond its number and time. */
type Happening = Omit<MembershipEntry, 'sequence' | 'at' | 'previousHash'>;

/**
 * The rules of one household's members and invites. A draft starts from the record that was read, is changed by these
 * methods, which throw to refuse, and is written as one conditional update.
 */
export class HouseholdDraft {
  private readonly entries: MembershipEntry[] = [];
  private readonly settled: SettledInvite[] = [];
  /** What becomes of the record; log, settled invites and the copies for the indexes follow in `toRecord`. */
  private readonly next: { -readonly [Field in keyof HouseholdRecord]: HouseholdRecord[Field] };

  constructor(
    private readonly record: HouseholdRecord,
    private readonly now: number,
  ) {
    this.next = { ...record };
    for (const invite of this.next.invites) {
      if (invite.endsAt <= now) this.settle(invite, 'expired', null);
    }
  }

  /** A new household, owned by the user who creates it. */
  static create({ id, name, currency, ownerId, personal, now }: NewHousehold): HouseholdRecord {
    const empty: HouseholdRecord = {
      key: id,
      revision: 1,
      name,
      currency,
      personalOf: personal ? ownerId : null,
      archived: false,
      createdAt: now,
      members: [],
      invites: [],
      sequence: 0,
      unlogged: [],
      logHash: null,
      settled: [],
      memberIds: [],
      inviteIds: [],
      inviteTokens: [],
      inviting: null,
      inviteEndsFirst: null,
    };
    const draft = new HouseholdDraft(empty, now);
    draft.next.members = [{ userId: ownerId, role: 'owner', joinedAt: now }];
    draft.log({ kind: 'household_created', by: ownerId });
    draft.log({ kind: 'member_joined', by: ownerId, userId: ownerId, role: 'owner' });
    return draft.toRecord();
  }

  /** @throws ApiError `not_a_member`, `owner_required` */
  requireOwner(userId: string): void {
    if (this.memberOrRefuse(userId).role !== 'owner') throw new ApiError('owner_required');
  }

  /** A member who was removed during the request is refused. @throws ApiError `not_a_member` */
  memberOrRefuse(userId: string): Member {
    const member = this.find(userId);
    if (member === undefined) throw new ApiError('not_a_member');
    return member;
  }

  /** @throws ApiError `conflict`, reason `archived` */
  requireWritable(): void {
    if (this.next.archived) throw archivedHousehold();
  }

  rename(name: string, by: string): void {
    if (name === this.next.name) return;
    this.next.name = name;
    this.log({ kind: 'household_renamed', by });
  }

  /** What amounts mean from now on; none of them is converted. */
  setCurrency(currency: string, by: string): void {
    if (currency === this.next.currency) return;
    this.next.currency = currency;
    this.log({ kind: 'currency_changed', by, currency });
  }

  /** @throws ApiError `personal_household` */
  setArchived(archived: boolean, by: string): void {
    if (archived === this.next.archived) return;
    if (archived && this.record.personalOf !== null) throw new ApiError('personal_household');
    this.next.archived = archived;
    this.log({ kind: archived ? 'household_archived' : 'household_unarchived', by });
  }

  /** Also in an archived household. @throws ApiError `not_found` for a user who is not a member, `last_owner` */
  changeRole(userId: string, role: Role, by: string): void {
    const member = this.find(userId);
    if (member === undefined) throw notFound('member');
    if (member.role === role) return;
    if (role === 'member') this.requireAnotherOwner(member);
    this.next.members = this.next.members.map(one => (one.userId === userId ? { ...one, role } : one));
    this.log({ kind: 'role_changed', by, userId, role });
  }

  /**
   * A member leaves or is removed, also from an archived household; revokes the pending invites that they sent.
   * @throws ApiError `not_found`, `personal_household`, `last_owner`
   */
  removeMember(userId: string, by: string): void {
    const member = this.find(userId);
    if (member === undefined) throw notFound('member');
    if (this.record.personalOf === userId) throw new ApiError('personal_household');
    this.requireAnotherOwner(member);
    this.removeAndRevoke(userId, by);
  }

  /** Removes a user who is erased. If no owner is left, the member who joined first becomes owner. */
  withdraw(userId: string): void {
    if (this.find(userId) === undefined) return;
    if (this.next.personalOf === userId) this.next.personalOf = null;
    this.removeAndRevoke(userId, userId);
    const [first] = this.next.members.toSorted((one, other) => one.joinedAt - other.joinedAt);
    if (first && !this.next.members.some(({ role }) => role === 'owner')) {
      this.next.members = this.next.members.map(one => (one === first ? { ...one, role: 'owner' } : one));
      this.log({ kind: 'role_changed', by: null, userId: first.userId, role: 'owner' });
    }
  }

  /** Removes invites for an address that is erased, without a trace of it. */
  forgetInvites(inviteIds: readonly string[]): void {
    for (const { id } of this.next.invites.filter(invite => inviteIds.includes(invite.id))) {
      this.next.invites = this.next.invites.filter(one => one.id !== id);
      this.log({ kind: 'invite_settled', by: null, inviteId: id, status: 'revoked' });
    }
  }

  /**
   * A new pending invite; replaces one for the same address.
   * @param invitee the user who has the address already, if any
   * @throws ApiError `conflict` where archived or at the limit, `already_a_member`
   */
  invite(invite: PendingInvite, invitee: string | null): void {
    this.requireWritable();
    if (invitee !== null && this.find(invitee) !== undefined) throw new ApiError('already_a_member');
    const mailbox = foldEmail(invite.email);
    for (const former of this.next.invites.filter(({ email }) => foldEmail(email) === mailbox)) {
      this.settle(former, 'replaced', invite.inviterId);
    }
    const tooMany = 'This household has too many open invites.';
    if (this.next.invites.length >= PENDING_INVITES_MAX) throw limitReached(tooMany, PENDING_INVITES_MAX);
    this.next.invites = [...this.next.invites, invite];
    this.log({ kind: 'invite_sent', by: invite.inviterId, inviteId: invite.id });
  }

  /** @throws ApiError `invite_not_pending`, `already_a_member`, `conflict` where archived or at the limit */
  acceptInvite(inviteId: string, userId: string): void {
    const invite = this.pendingInvite(inviteId);
    this.requireWritable();
    if (this.find(userId) !== undefined) throw new ApiError('already_a_member');
    if (this.next.members.length >= MEMBERS_MAX) {
      throw limitReached('This household has too many members.', MEMBERS_MAX);
    }
    this.settle(invite, 'accepted', userId);
    this.next.members = [...this.next.members, { userId, role: 'member', joinedAt: this.now }];
    this.log({ kind: 'member_joined', by: userId, userId, role: 'member', inviteId });
  }

  /** @throws ApiError `invite_not_pending`, `conflict` where archived */
  revokeInvite(inviteId: string, by: string): void {
    const invite = this.pendingInvite(inviteId);
    this.requireWritable();
    this.settle(invite, 'revoked', by);
  }

  /** Also in an archived household. @throws ApiError `invite_not_pending` */
  declineInvite(inviteId: string, by: string): void {
    this.settle(this.pendingInvite(inviteId), 'declined', by);
  }

  /** Whether there is anything to write. */
  get changed(): boolean {
    return this.entries.length > 0;
  }

  toRecord(): HouseholdRecord {
    const endsFirst = Math.min(...this.next.invites.map(invite => invite.endsAt));
    return {
      ...this.next,
      sequence: this.record.sequence + this.entries.length,
      unlogged: this.entries,
      logHash: this.logHash,
      settled: this.settled,
      memberIds: this.next.members.map(member => member.userId),
      inviteIds: [...this.next.invites, ...this.settled].map(invite => invite.id),
      inviteTokens: [...this.next.invites, ...this.settled].map(invite => invite.token),
      inviting: this.next.invites.length > 0 ? true : null,
      inviteEndsFirst: Number.isFinite(endsFirst) ? new Date(endsFirst).toISOString() : null,
    };
  }

  private removeAndRevoke(userId: string, by: string): void {
    this.next.members = this.next.members.filter(one => one.userId !== userId);
    this.log({ kind: by === userId ? 'member_left' : 'member_removed', by, userId });
    for (const invite of this.next.invites) {
      if (invite.inviterId === userId) this.settle(invite, 'revoked', by);
    }
  }

  private find(userId: string): Member | undefined {
    return this.next.members.find(member => member.userId === userId);
  }

  private pendingInvite(inviteId: string): PendingInvite {
    const invite = this.next.invites.find(one => one.id === inviteId);
    if (invite === undefined) throw new ApiError('invite_not_pending');
    return invite;
  }

  private requireAnotherOwner(member: Member): void {
    const others = this.next.members.filter(one => one.role === 'owner' && one.userId !== member.userId);
    if (member.role === 'owner' && others.length === 0) throw new ApiError('last_owner');
  }

  private settle(invite: PendingInvite, status: SettledStatus, by: string | null): void {
    this.next.invites = this.next.invites.filter(one => one.id !== invite.id);
    this.settled.push({ ...invite, status, settledAt: this.now });
    this.log({ kind: 'invite_settled', by, inviteId: invite.id, status });
  }

  private log(happening: Happening): void {
    const sequence = this.record.sequence + this.entries.length + 1;
    this.entries.push({ sequence, at: this.now, ...happening, previousHash: this.logHash });
  }

  private get logHash(): string | null {
    const last = this.entries.at(-1);
    return last ? hashOfEntry(this.record.key, last) : this.record.logHash;
  }
}

/** `409 conflict` for a write to an archived household. */
export function archivedHousehold(): ApiError {
  return new ApiError('conflict', { reason: 'archived' }, { message: 'This household is archived.' });
}
