import { Injectable } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { EVERY_KEY } from '#storage/documents/declared';
import { Documents } from '#storage/documents/documents';
import { Erasures } from '#storage/documents/erasures';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { pagesOf } from '#storage/documents/pages';
import type { KeyedCommand } from '#storage/documents/idempotency-keys';
import { ApiError, limitReached } from '#http/api-error';
import { NAME_MAX } from '#http/field-rules';
import type { Account } from '../accounts/account-records.js';
import { foldEmail } from '../accounts/email-address.js';
import { removeFound } from '../record-changes.js';
import { RepeatableChanges, type Outcome } from '../repeatable-changes.js';
import { IdentityConfiguration } from '../surroundings.js';
import { HouseholdDraft } from './household-draft.js';
import {
  HOUSEHOLDS,
  logKey,
  MEMBERSHIP_LOG,
  SETTLED_INVITES,
  SETTLED_INVITE_KEPT_MS,
  type HouseholdRecord,
  type InviteStatus,
  type Member,
  type PendingInvite,
  type StoredHousehold,
} from './household-records.js';
import { settledRecord } from './membership-chain.js';

/** The most households of one user: their list is not paged. */
export const HOUSEHOLDS_PER_USER_MAX = 200;
/** The most households whose invites for one address are read: as many as a user could join. */
const INVITING_MAX = HOUSEHOLDS_PER_USER_MAX;
/** Invites that are read at once where all are looked through. */
const SETTLED_PAGE = 500;

/** An invite, pending or ended, with the household that it leads to. */
interface FoundInvite {
  readonly householdId: string;
  readonly invite: PendingInvite;
  readonly status: InviteStatus;
}

/** A household, and whether it was made now. */
interface Made {
  readonly household: HouseholdRecord;
  readonly isNew: boolean;
}

/** The households, their members and invites, and the log of what happened to them. */
@Injectable()
export class Households {
  private readonly erasures: Erasures;

  constructor(
    private readonly documents: Documents,
    private readonly changes: RepeatableChanges,
    private readonly clock: Clock,
    private readonly configuration: IdentityConfiguration,
  ) {
    this.erasures = new Erasures(documents);
  }

  async find(householdId: string): Promise<HouseholdRecord | null> {
    const record = await this.documents.get(HOUSEHOLDS, householdId);
    return record && this.withCurrency(record);
  }

  /** @throws ApiError `not_a_member` if there is no such household */
  async require(householdId: string): Promise<HouseholdRecord> {
    const household = await this.find(householdId);
    if (household === null) throw new ApiError('not_a_member');
    return household;
  }

  /** Every household of which the user is a member, in no promised order. */
  async ofMember(userId: string): Promise<readonly HouseholdRecord[]> {
    const query = { index: 'member', equals: { memberIds: userId }, limit: HOUSEHOLDS_PER_USER_MAX + 1 };
    const records = await this.documents.query(HOUSEHOLDS, query);
    return records.map(record => this.withCurrency(record));
  }

  /** The households that have an invite for the address which has not ended; at most `INVITING_MAX` of them. */
  async inviting(emailFolded: string): Promise<readonly HouseholdRecord[]> {
    const now = this.clock.now();
    const isOpen = ({ email, endsAt }: PendingInvite): boolean =>
      endsAt > now && foldEmail(email) === emailFolded;
    return (await this.namingInInvites(emailFolded)).filter(({ invites }) => invites.some(isOpen));
  }

  /** A further household; an existing one of that id stays unchanged. */
  async create(
    id: string,
    { name, currency = this.configuration.defaultCurrency }: { name: string; currency?: string },
    ownerId: string,
  ): Promise<Made> {
    const now = this.clock.now();
    const record = HouseholdDraft.create({ id, name, currency, ownerId, personal: false, now });
    return this.insert(record);
  }

  /** The household of calls that name none: the chosen one or, if the user has left it or it is archived, the personal. */
  async defaultOf(account: Account): Promise<HouseholdRecord> {
    const chosen = await this.find(account.defaultHouseholdId);
    if (chosen !== null && canBeDefault(chosen, account.key)) return chosen;
    return this.ensurePersonal(account);
  }

  /** The personal household of an account, created if a crash after recording the account left it missing. */
  async ensurePersonal(account: Account): Promise<HouseholdRecord> {
    const existing = await this.find(account.personalHouseholdId);
    if (existing !== null) return existing;
    const record = HouseholdDraft.create({
      id: account.personalHouseholdId,
      name: personalName(account.name),
      currency: this.configuration.defaultCurrency,
      ownerId: account.key,
      personal: true,
      now: account.createdAt,
    });
    return (await this.insert(record)).household;
  }

  /**
   * Changes a household by its rules, as one conditional update.
   * @param decide called again after a lost race, not for a command that was carried out before; throws to refuse, and
   *   may return what the command makes
   * @throws ApiError `not_a_member` if the household does not exist, and as `RepeatableChanges`
   */
  async change(
    householdId: string,
    command: KeyedCommand | null,
    decide: (draft: HouseholdDraft) => { readonly made: string } | void,
  ): Promise<Outcome<HouseholdRecord>> {
    const outcome = await this.changes.change(
      HOUSEHOLDS,
      householdId,
      command,
      'not_a_member',
      async current => {
        const draft = new HouseholdDraft(this.withCurrency(current), this.clock.now());
        const made = decide(draft);
        if (!draft.changed) return {};
        // The entries of the change before this one are about to leave the record.
        await this.writeLog(current);
        const next = draft.toRecord();
        return made ? { next, ...made } : { next };
      },
    );
    // They are in the record as well, so a store that goes away just now loses nothing.
    if (outcome.changed) {
      await this.writeLog(outcome.record).catch(() => undefined);
      await this.refuseErased(householdId);
    }
    return { ...outcome, record: this.withCurrency(outcome.record) };
  }

  /** Removes a user who is erased from a household, if it exists. */
  async withdraw(householdId: string, userId: string): Promise<void> {
    try {
      await this.change(householdId, null, draft => draft.withdraw(userId));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_a_member')) throw error;
    }
  }

  /**
   * Erases an address: invites to it, and how earlier ones ended.
   * @param isTheirs whether an address of the mailbox is that of the user who is erased
   */
  async forgetAddress(mailbox: string, isTheirs: (email: string) => Promise<boolean>): Promise<void> {
    for (const household of await this.namingInInvites(mailbox)) {
      const invites = await idsOfTheirs(household.invites, isTheirs);
      await this.change(household.key, null, draft => draft.forgetInvites(invites));
    }
    const pages = pagesOf(this.documents, SETTLED_INVITES, EVERY_KEY, SETTLED_PAGE);
    for await (const page of pages) {
      for (const { key, email, householdId } of page) {
        if (foldEmail(email) !== mailbox || !(await isTheirs(email))) continue;
        await this.forgetSettled(householdId, key);
        await this.documents.remove(SETTLED_INVITES, key);
      }
    }
  }

  /** An invite by its id or by the secret of its link; null if it is unknown or ended long ago. */
  async findInvite(by: 'id' | 'token', value: string): Promise<FoundInvite | null> {
    const [index, field] = by === 'id' ? ['invite_id', 'inviteIds'] : ['invite_token', 'inviteTokens'];
    const query = { index, equals: { [field]: value }, limit: 1 };
    const [household] = await this.documents.query(HOUSEHOLDS, query);
    if (household) return inviteIn(household, invite => invite[by] === value, this.clock.now());
    const [settled] = await (by === 'id'
      ? this.documents.getMany(SETTLED_INVITES, [value])
      : this.documents.query(SETTLED_INVITES, { index: 'token', equals: { token: value }, limit: 1 }));
    return settled ? { householdId: settled.householdId, invite: settled, status: settled.status } : null;
  }

  /** Records which invites have expired, of at most so many households. */
  async expireInvites(limit: number): Promise<void> {
    const due = await this.documents.query(HOUSEHOLDS, {
      index: 'invite_end',
      equals: { inviting: true },
      limit,
    });
    const now = this.clock.now();
    for (const { key, invites } of due) {
      // Making the draft ends them.
      if (invites.some(invite => invite.endsAt <= now)) await this.change(key, null, () => undefined);
    }
  }

  /** Also those in which the invite has ended without that being recorded yet. */
  private namingInInvites(mailbox: string): Promise<readonly HouseholdRecord[]> {
    const query = { index: 'invite_email', equals: { inviteMailboxes: mailbox }, limit: INVITING_MAX };
    return this.documents.query(HOUSEHOLDS, query);
  }

  private async insert(record: HouseholdRecord): Promise<Made> {
    if (!(await insertIfAbsent(this.documents, HOUSEHOLDS, record))) {
      return { household: (await this.find(record.key)) ?? record, isNew: false };
    }
    // The id of a repeated creation may be that of a household which was erased since.
    await this.refuseErased(record.key);
    // It is in the record as well, so a store that goes away just now loses nothing.
    await this.writeLog(record).catch(() => undefined);
    return { household: record, isNew: true };
  }

  /** A record that a process of an earlier version has made since this one started lacks its currency. */
  private withCurrency(record: StoredHousehold): HouseholdRecord {
    return { currency: this.configuration.defaultCurrency, ...record };
  }

  private async forgetSettled(householdId: string, inviteId: string): Promise<void> {
    const record = await this.documents.get(HOUSEHOLDS, householdId);
    if (!record?.settled.some(({ id }) => id === inviteId)) return;
    await this.changes.change(HOUSEHOLDS, householdId, null, 'not_a_member', current => ({
      next: { ...current, settled: current.settled.filter(({ id }) => id !== inviteId) },
    }));
  }

  /** Removes what was just written of a household that was erased meanwhile. @throws ApiError `not_a_member` */
  private async refuseErased(householdId: string): Promise<void> {
    if (!(await this.erasures.find(householdId))) return;
    await this.documents.remove(HOUSEHOLDS, householdId);
    await removeHouseholdTraces(this.documents, householdId);
    throw new ApiError('not_a_member');
  }

  private async writeLog(record: HouseholdRecord): Promise<void> {
    const { key: householdId, unlogged, settled } = record;
    if (unlogged.length === 0) return;
    const entries = unlogged.map(entry => {
      const key = logKey(householdId, entry.sequence);
      return { ...entry, householdId, key, revision: 1 };
    });
    await this.documents.putAll([
      { collection: MEMBERSHIP_LOG, documents: entries },
      { collection: SETTLED_INVITES, documents: settled.map(invite => settledRecord(householdId, invite)) },
    ]);
  }
}

async function idsOfTheirs(
  invites: readonly PendingInvite[],
  isTheirs: (email: string) => Promise<boolean>,
): Promise<string[]> {
  const theirs = await Promise.all(invites.map(({ email }) => isTheirs(email)));
  return invites.filter((_, at) => theirs[at]).map(({ id }) => id);
}

/** The user's entry among the members; undefined for none. */
export function memberOf({ members }: HouseholdRecord, userId: string): Member | undefined {
  return members.find(member => member.userId === userId);
}

/** @throws ApiError `not_a_member` */
export function requireMember(household: HouseholdRecord, userId: string): Member {
  const member = memberOf(household, userId);
  if (member === undefined) throw new ApiError('not_a_member');
  return member;
}

/** Whether calls of the user may act on the household without naming it. */
export function canBeDefault(household: HouseholdRecord, userId: string): boolean {
  return !household.archived && memberOf(household, userId) !== undefined;
}

/** @param own all households of a user, who is to get another @throws ApiError `conflict` where there are too many */
export function requireRoomBeside(own: readonly HouseholdRecord[]): void {
  if (own.length < HOUSEHOLDS_PER_USER_MAX) return;
  throw limitReached('You are in too many households.', HOUSEHOLDS_PER_USER_MAX);
}

function inviteIn(
  household: HouseholdRecord,
  matches: (invite: PendingInvite) => boolean,
  now: number,
): FoundInvite | null {
  const { key: householdId } = household;
  const pending = household.invites.find(matches);
  if (pending && pending.endsAt > now) return { householdId, invite: pending, status: 'pending' };
  const ended = pending
    ? { ...pending, status: 'expired' as const, settledAt: pending.endsAt }
    : household.settled.find(matches);
  // The API no longer says how it ended, even if its household has not changed since.
  if (ended === undefined || ended.settledAt + SETTLED_INVITE_KEPT_MS <= now) return null;
  return { householdId, invite: ended, status: ended.status };
}

/** "Anna's household", however long Anna's name is. */
function personalName(userName: string): string {
  const suffix = "'s household";
  return [...Array.from(userName).slice(0, NAME_MAX - suffix.length), suffix].join('');
}

/** Households that are read at once. */
const PAGE_HOUSEHOLDS = 200;

/** Records a currency for every household without one, which a later `DEFAULT_CURRENCY` leaves. @throws DocumentsUnavailable */
export async function recordCurrencies(documents: Documents, currency: string): Promise<void> {
  for await (const page of pagesOf(documents, HOUSEHOLDS, EVERY_KEY, PAGE_HOUSEHOLDS)) {
    const former = page.filter((record: StoredHousehold) => record.currency === undefined);
    const next = former.map(one => ({ ...one, currency, revision: one.revision + 1 }));
    // A record that another process changes at the same moment keeps that change, which gives it a currency as well.
    if (next.length > 0) await documents.put(HOUSEHOLDS, next);
  }
}

/** Removes what stands beside the record of an erased household. May be repeated. @throws DocumentsUnavailable */
export async function removeHouseholdTraces(documents: Documents, householdId: string): Promise<void> {
  await documents.removePrefix(MEMBERSHIP_LOG, `${householdId}|`);
  await removeFound(documents, SETTLED_INVITES, 'household', { householdId });
}
