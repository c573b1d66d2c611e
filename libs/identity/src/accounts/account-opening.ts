import { Injectable } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { DuplicateKey } from '#storage/documents/documents';
import { Households } from '../households/households.js';
import { Randomness } from '../secrets.js';
import { IdentityConfiguration } from '../surroundings.js';
import { Accounts } from './accounts.js';
import { DEFAULT_SETTINGS, type Account } from './account-records.js';
import { foldEmail } from './email-address.js';
import { SignUps, type Applicant } from './sign-up-records.js';

/** Decides who may have an account, and makes accounts with their personal households. */
@Injectable()
export class AccountOpening {
  constructor(
    private readonly accounts: Accounts,
    private readonly signUps: SignUps,
    private readonly households: Households,
    private readonly configuration: IdentityConfiguration,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Whether an address matches `ALLOWED_EMAILS` or has a pending invite. An existing account stays admitted. */
  async admits(emailFolded: string): Promise<boolean> {
    const { allowedEmails } = this.configuration;
    if (allowedEmails.some(entry => matches(foldEmail(entry), emailFolded))) return true;
    return (await this.households.inviting(emailFolded)).length > 0;
  }

  /**
   * Opens the account of a verified, admitted address. Of two calls at once the insertion decides; if a crash follows
   * it, the next sign-in does the rest. @returns null if the address has an account
   */
  async open(applicant: Applicant & { readonly email: string }): Promise<Account | null> {
    const emailFolded = foldEmail(applicant.email);
    const now = this.clock.now();
    const personalHouseholdId = this.randomness.ulid(now);
    const account: Account = {
      key: this.randomness.ulid(now),
      revision: 1,
      email: applicant.email,
      emailFolded,
      name: applicant.name,
      passwordHash: applicant.passwordHash,
      sessionEpoch: 0,
      survivingSession: null,
      personalHouseholdId,
      defaultHouseholdId: personalHouseholdId,
      settings: DEFAULT_SETTINGS,
      createdAt: now,
    };
    try {
      await this.accounts.insert(account);
    } catch (error) {
      if (error instanceof DuplicateKey && error.index === 'email') return null;
      throw error;
    }
    await Promise.all([this.households.ensurePersonal(account), this.signUps.forget(emailFolded)]);
    return account;
  }
}

/** An entry is `*`, `*@domain` or an address. A domain's subdomains are other domains. */
function matches(entry: string, emailFolded: string): boolean {
  if (entry === '*') return true;
  if (entry.startsWith('*@')) return emailFolded.slice(emailFolded.lastIndexOf('@')) === entry.slice(1);
  return entry === emailFolded;
}
