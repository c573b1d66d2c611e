import { Injectable } from '@nestjs/common';
import { ApiError } from '#http/api-error';
import type { Account } from './account-records.js';
import { Accounts } from './accounts.js';
import { foldEmail } from './email-address.js';
import { Passwords } from './passwords.js';
import { Throttle } from './throttle.js';

/** Asks for a caller's password again where a session is not enough. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly throttle: Throttle,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Throttled as signing in is: a stolen session must not be a way to guess the password.
   * @returns the account with the password that was compared; a change must check that its epoch is still the same
   * @throws ApiError `invalid_credentials`, `too_many_attempts`, `unauthenticated` where there is no such account
   */
  async require(userId: string, password: string, networkAddress: string): Promise<Account> {
    const owner = await this.accounts.find(userId);
    if (owner === null) throw new ApiError('unauthenticated');
    const isKnown = await this.throttle.judged(foldEmail(owner.email), networkAddress, () =>
      this.passwords.matches(owner.passwordHash, password),
    );
    if (!isKnown) {
      throw new ApiError('invalid_credentials', {}, { message: 'The current password is wrong.' });
    }
    return owner;
  }
}
