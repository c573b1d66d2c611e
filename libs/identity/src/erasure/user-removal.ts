import { Injectable } from '@nestjs/common';
import { keysUnder } from '#storage/documents/declared';
import { Documents } from '#storage/documents/documents';
import { Erasures } from '#storage/documents/erasures';
import { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { ApiError } from '#http/api-error';
import { ACCOUNTS, type Account } from '../accounts/account-records.js';
import { Accounts } from '../accounts/accounts.js';
import { foldEmail } from '../accounts/email-address.js';
import { PasswordResets } from '../accounts/password-resets.js';
import { SignUps } from '../accounts/sign-up-records.js';
import type { HouseholdRecord } from '../households/household-records.js';
import { Households } from '../households/households.js';
import { MailDuties } from '../mails/mail-duties.js';
import { Sessions } from '../sessions/sessions.js';
import { Clock } from '#concurrency/clock';
import { Tokens } from '../tokens/tokens.js';
import { HouseholdRemoval } from './household-removal.js';

/** Erases users: their accounts, and the households that are theirs alone. */
@Injectable()
export class UserRemoval {
  private readonly erasures: Erasures;

  constructor(
    private readonly documents: Documents,
    private readonly accounts: Accounts,
    private readonly signUps: SignUps,
    private readonly resets: PasswordResets,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
    private readonly households: Households,
    private readonly householdRemoval: HouseholdRemoval,
    private readonly duties: MailDuties,
    private readonly clock: Clock,
  ) {
    this.erasures = new Erasures(documents);
  }

  /**
   * Erases a user for good. Once its record is written, whatever interrupts this, the next start goes on.
   * @param by the user, or `operator`
   * @throws ApiError `last_owner` where other members of a household would have no owner
   */
  async erase(userId: string, by: string): Promise<void> {
    const households = await this.households.ofMember(userId);
    const left = households.filter(household => leavesNoOwner(household, userId)).map(({ key }) => key);
    if (left.length > 0) throw new ApiError('last_owner', { household_ids: left.sort() });
    await this.erasures.record({ key: userId, of: 'user', at: this.clock.now(), by });
    await this.goOn(userId, by);
  }

  /** Does what is left of an erasure that is recorded. May be repeated. */
  async goOn(userId: string, by: string): Promise<void> {
    const account = await this.accounts.find(userId);
    // From here on no session and no token counts, on no instance.
    if (account && !account.disabled) await this.accounts.change(userId, current => disabled(current));
    const households = await this.households.ofMember(userId);
    for (const household of households) {
      if (household.members.length === 1) await this.householdRemoval.erase(household.key, by);
      else await this.households.withdraw(household.key, userId);
      await this.documents.removePrefix(IdempotencyKeys.collection, `${household.key}|${userId}|`);
    }
    await this.documents.removePrefix(IdempotencyKeys.collection, keysUnder(userId).from);
    await this.sessions.removeAll(userId);
    await this.tokens.removeAll(userId);
    await this.resets.removeAll(userId);
    if (account) await this.removeAccount(account);
    const finished = await this.documents.scrub();
    if (finished) await this.erasures.change(userId, { finished });
  }

  private async removeAccount(account: Account): Promise<void> {
    const { key: userId, email } = account;
    const mailbox = foldEmail(email);
    const isTheirs = async (address: string): Promise<boolean> =>
      foldEmail(address) === mailbox && (await this.accounts.hasEmail(account, address));
    await this.households.forgetAddress(mailbox, isTheirs);
    await this.duties.forget(({ errand }) => {
      if ('userId' in errand) return errand.userId === userId;
      return 'email' in errand && foldEmail(errand.email) === mailbox;
    });
    await this.signUps.forget(mailbox);
    await this.documents.remove(ACCOUNTS, userId);
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
