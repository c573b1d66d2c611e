import { Injectable } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { keysUnder } from '#storage/documents/declared';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { Erasures, type Erasure } from '#storage/documents/erasures';
import { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { ApiError } from '#http/api-error';
import { Accounts } from '../accounts/accounts.js';
import { ACCOUNTS, type Account } from '../accounts/account-records.js';
import { foldEmail } from '../accounts/email-address.js';
import { PASSWORD_RESETS } from '../accounts/password-resets.js';
import { SignUps } from '../accounts/sign-up-records.js';
import { HOUSEHOLDS, type HouseholdRecord } from '../households/household-records.js';
import { Households, removeHouseholdTraces } from '../households/households.js';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { SESSIONS } from '../sessions/sessions.js';
import { removeFound } from '../record-changes.js';
import { BudgetHistories } from '../surroundings.js';
import { TOKENS } from '../tokens/tokens.js';

/** How long other processes may still write something of what was erased. */
const REPEATED_MS = 3_600_000;

/** Erases households and users for good. Each erasure is recorded first, and goes on after an interruption. */
@Injectable()
export class ErasureWork {
  private readonly erasures: Erasures;

  constructor(
    private readonly documents: Documents,
    private readonly accounts: Accounts,
    private readonly signUps: SignUps,
    private readonly households: Households,
    private readonly budgets: BudgetHistories,
    private readonly outbox: OutboxMessages,
    private readonly clock: Clock,
  ) {
    this.erasures = new Erasures(documents);
  }

  /** @param by the user who does it, or `operator` */
  async eraseHousehold(householdId: string, by: string): Promise<void> {
    await this.erasures.record({ key: householdId, of: 'household', at: this.clock.now(), by });
    await this.goOnWithHousehold(householdId, by);
  }

  /**
   * Erases a user, and the households that are theirs alone.
   * @param by the user, or `operator`
   * @throws ApiError `last_owner` where other members of a household would have no owner
   */
  async eraseUser(userId: string, by: string): Promise<void> {
    const households = await this.households.ofMember(userId);
    const left = households.filter(household => leavesNoOwner(household, userId)).map(({ key }) => key);
    if (left.length > 0) throw new ApiError('last_owner', { household_ids: left.sort() });
    await this.erasures.record({ key: userId, of: 'user', at: this.clock.now(), by });
    await this.goOnWithUser(userId, by);
  }

  /** Finishes every erasure, also where an older store was put back. To be called before anything is served. */
  async finishAll(): Promise<void> {
    for (const erasure of (await this.erasures.all()).values()) {
      if (!erasure.finished || (await this.isBack(erasure))) await this.goOn(erasure);
    }
  }

  /** What was interrupted, and what may have been written again since. */
  async repeatRecent(): Promise<void> {
    const since = this.clock.now() - REPEATED_MS;
    for (const erasure of (await this.erasures.all()).values()) {
      if (!erasure.finished || erasure.at > since) await this.goOn(erasure);
    }
  }

  private async goOn({ key, of, by }: Erasure): Promise<void> {
    if (of === 'household') await this.goOnWithHousehold(key, by);
    else await this.goOnWithUser(key, by);
  }

  private async isBack({ key, of }: Erasure): Promise<boolean> {
    if (of === 'user') return (await this.documents.get(ACCOUNTS, key)) !== null;
    return (await this.documents.get(HOUSEHOLDS, key)) !== null || this.budgets.hasEvents(key);
  }

  private async goOnWithHousehold(householdId: string, by: string): Promise<void> {
    const household = await this.documents.get(HOUSEHOLDS, householdId);
    if (household !== null) {
      await this.tellMembers(household, by);
      // From here on the household has no members, on any instance.
      await this.documents.remove(HOUSEHOLDS, householdId);
    }
    await this.budgets.erase(householdId);
    await removeHouseholdTraces(this.documents, householdId);
    await this.outbox.forget(({ errand }) => errand.kind === 'invite' && errand.householdId === householdId);
    await this.scrub(householdId);
  }

  /** Once: restoring an older store brings back members who were notified before. */
  private async tellMembers({ key, name, members }: HouseholdRecord, by: string): Promise<void> {
    if ((await this.erasures.find(key))?.told === true) return;
    for (const { userId } of members) {
      if (userId === by) continue;
      const errand = { kind: 'household-deleted', userId, householdName: name, by } as const;
      await this.outbox.recordOnce(`${key}-${userId}`, errand);
    }
    await this.erasures.change(key, { told: true });
  }

  private async goOnWithUser(userId: string, by: string): Promise<void> {
    const account = await this.accounts.find(userId);
    // From here on no session and no token counts, on any instance.
    if (account && !account.disabled) await this.accounts.change(userId, disabled);
    for (const household of await this.households.ofMember(userId)) {
      if (household.members.length === 1) await this.eraseHousehold(household.key, by);
      else await this.households.withdraw(household.key, userId);
      await this.documents.removePrefix(IdempotencyKeys.collection, `${household.key}|${userId}|`);
    }
    await this.documents.removePrefix(IdempotencyKeys.collection, keysUnder(userId).from);
    for (const collection of [SESSIONS, TOKENS, PASSWORD_RESETS] as readonly Collection<Document>[]) {
      await removeFound(this.documents, collection, 'user', { userId });
    }
    if (account) await this.removeAccount(account);
    await this.scrub(userId);
  }

  private async removeAccount(account: Account): Promise<void> {
    const { key: userId, email } = account;
    const mailbox = foldEmail(email);
    const isTheirs = async (address: string): Promise<boolean> =>
      foldEmail(address) === mailbox && (await this.accounts.hasEmail(account, address));
    await this.households.forgetAddress(mailbox, isTheirs);
    await this.outbox.forget(({ errand }) => {
      if ('userId' in errand) return errand.userId === userId;
      return 'email' in errand && foldEmail(errand.email) === mailbox;
    });
    await this.signUps.forget(mailbox);
    await this.documents.remove(ACCOUNTS, userId);
  }

  private async scrub(key: string): Promise<void> {
    const finished = await this.documents.scrub();
    if (finished) await this.erasures.change(key, { finished });
  }
}

/** The locked account: its sessions have ended and its tokens do not count. */
export function disabled(account: Account): Account {
  return { ...account, disabled: true, sessionEpoch: account.sessionEpoch + 1, survivingSession: null };
}

function leavesNoOwner({ members }: HouseholdRecord, userId: string): boolean {
  const others = members.filter(member => member.userId !== userId);
  return others.length > 0 && !others.some(({ role }) => role === 'owner');
}
