import type { Clock } from '#concurrency/clock';
import type { Documents } from '#storage/documents/documents';
import { ApiError } from '#http/api-error';
import type { AccountOpening } from '../accounts/account-opening.js';
import type { Accounts } from '../accounts/accounts.js';
import type { Account } from '../accounts/account-records.js';
import { foldEmail } from '../accounts/email-address.js';
import type { PasswordResets } from '../accounts/password-resets.js';
import type { SignUps } from '../accounts/sign-up-records.js';
import { disabled, type ErasureWork } from '../erasure/erasure-work.js';
import type { Randomness } from '../secrets.js';
import type { IdentityConfiguration } from '../surroundings.js';
import { ADMINISTRATION_LOG, type UserAction } from './administration-records.js';

/** An operator's request. */
export interface UserRequest {
  readonly action: UserAction;
  readonly email: string;
  /** Who asks: the operator's name on their machine. */
  readonly by: string;
}

export interface UserOutcome {
  readonly userId: string;
  /** The link for a new password; null for every other action. */
  readonly link: string | null;
}

/** The action cannot be done; one sentence for the operator. */
export class AdministrationRefused extends Error {
  override readonly name = 'AdministrationRefused';
}

interface Services {
  readonly documents: Documents;
  readonly accounts: Accounts;
  readonly signUps: SignUps;
  readonly opening: AccountOpening;
  readonly resets: PasswordResets;
  readonly erasures: ErasureWork;
  readonly configuration: IdentityConfiguration;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** The actions of operators on users. Each is recorded with who did it before it is done. */
export class UserAdministration {
  constructor(private readonly services: Services) {}

  /** @throws AdministrationRefused */
  async carryOut({ action, email, by }: UserRequest): Promise<UserOutcome> {
    const account = await this.services.accounts.findByEmail(email);
    if (action === 'confirm') return this.confirm(account, email, by);
    if (account === null) throw new AdministrationRefused(`There is no account of ${email}.`);
    const { key: userId } = account;
    await this.record(action, userId, by);
    const link = action === 'reset-link' ? await this.resetLink(account) : null;
    if (action === 'disable') await this.services.accounts.change(userId, disabled);
    if (action === 'enable') await this.services.accounts.change(userId, enabled);
    if (action === 'erase') await this.erase(userId);
    return { userId, link };
  }

  /** Opens the account of the latest sign-up of an address, as its mailed link would, whether it is admitted or not. */
  private async confirm(existing: Account | null, email: string, by: string): Promise<UserOutcome> {
    if (existing !== null) throw new AdministrationRefused(`${email} has an account already.`);
    const waiting = await this.services.signUps.find(foldEmail(email));
    const applicant = waiting?.verified ?? waiting?.signUps.at(-1);
    if (applicant === undefined) throw new AdministrationRefused(`No sign-up of ${email} waits.`);
    const account = await this.services.opening.open(applicant);
    if (account === null) throw new AdministrationRefused(`${email} has an account already.`);
    await this.record('confirm', account.key, by);
    return { userId: account.key, link: null };
  }

  private async resetLink(account: Account): Promise<string> {
    const now = this.services.clock.now();
    const secret = await this.services.resets.make(account, this.services.randomness.ulid(now), now);
    return `${this.services.configuration.appUrl()}/reset?token=${secret}`;
  }

  private async erase(userId: string): Promise<void> {
    try {
      await this.services.erasures.eraseUser(userId, 'operator');
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'last_owner')) throw error;
      const households = (error.details['household_ids'] as readonly string[]).join(', ');
      throw new AdministrationRefused(
        `Other members of ${households} would have no owner. Let them name one, or delete the household, first.`,
      );
    }
  }

  private async record(action: UserAction, userId: string, by: string): Promise<void> {
    const at = this.services.clock.now();
    const key = this.services.randomness.ulid(at);
    await this.services.documents.insert(ADMINISTRATION_LOG, { key, revision: 1, action, userId, by, at });
  }
}

function enabled(account: Account): Account {
  return account.disabled === true ? { ...account, disabled: false } : account;
}
