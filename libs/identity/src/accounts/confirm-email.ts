import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DuplicateKey } from '#storage/documents/documents';
import { ApiError } from '#http/api-error';
import { LinkTokenField } from '#http/fields';
import { Accounts, afterChange } from './accounts.js';
import { NO_EMAIL_CHANGE, type Account } from './account-records.js';
import { foldEmail } from './email-address.js';
import { EmailChanges } from './email-changes.js';
import { SignUps } from './sign-up-records.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/email/confirm`; the token is that of the mailed link. */
export class ConfirmEmailBody {
  @LinkTokenField()
  token!: string;
}

export class ConfirmEmail extends CommandOf<ConfirmEmailBody> {}

/** Gives an account its new address. Of several redemptions at once one wins: the write of the account decides. */
@CommandHandler(ConfirmEmail)
export class ConfirmEmailHandler implements ICommandHandler<ConfirmEmail> {
  constructor(
    private readonly emailChanges: EmailChanges,
    private readonly accounts: Accounts,
    private readonly signUps: SignUps,
  ) {}

  async execute({ asked: { token } }: ConfirmEmail): Promise<void> {
    const found = await this.emailChanges.find(token);
    if (found === null) throw new ApiError('invalid_link');
    const { account, change } = found;
    const { email } = change;
    const emailFolded = foldEmail(email);
    try {
      await this.accounts.change(account.key, async current => {
        if (current.emailChange?.id !== change.id || !(await this.isFree(email, current)))
          throw new ApiError('invalid_link');
        return { ...current, email, emailFolded, ...NO_EMAIL_CHANGE };
      });
    } catch (error) {
      // Taken since it was looked up.
      if (error instanceof DuplicateKey && error.index === 'email') throw new ApiError('invalid_link');
      throw error;
    }
    await afterChange('an address was changed', {
      'sign-ups with it were not removed': this.signUps.forget(emailFolded),
    });
  }

  private async isFree(email: string, { key }: Account): Promise<boolean> {
    const holder = await this.accounts.findByEmail(email);
    return holder === null || holder.key === key;
  }
}
