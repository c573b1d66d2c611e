import { Injectable } from '@nestjs/common';
import { DuplicateKey } from '#storage/documents/documents';
import { Households } from '../households/households.js';
import { Clock } from '#concurrency/clock';
import { Randomness } from '../surroundings.js';
import { DEFAULT_SETTINGS, type Account } from './account-records.js';
import { Accounts } from './accounts.js';
import { foldEmail } from './email-address.js';
import { SignUps, type Applicant } from './sign-up-records.js';

/** Makes accounts with their personal households. */
@Injectable()
export class AccountOpening {
  constructor(
    private readonly accounts: Accounts,
    private readonly signUps: SignUps,
    private readonly households: Households,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Opens the account of an address that is verified and admitted. The account's insertion decides: of two at
   * the same moment one wins. What a crash leaves undone after it is made good by the next sign-in.
   * @returns null where the address has an account already
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
