import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { LinkTokenField, PasswordField } from '#http/fields';
import { Accounts, afterChange } from './accounts.js';
import { foldEmail } from './email-address.js';
import { stillCounts, PasswordResets } from './password-resets.js';
import { OwnPassword, refuseFrequentPassword } from './passwords.js';
import { Throttle } from './throttle.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/password/reset`; the token is that of the mailed link. */
export class ResetPasswordBody {
  @LinkTokenField()
  token!: string;

  @PasswordField({ description: 'The new password' })
  password!: string;
}

export class ResetPassword extends CommandOf<ResetPasswordBody> {}

/** Redeems a link for a new password. The same write ends every session and every other such link. */
@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly resets: PasswordResets,
    private readonly accounts: Accounts,
    private readonly ownPassword: OwnPassword,
    private readonly throttle: Throttle,
  ) {}

  async execute({ asked: { token, password } }: ResetPassword): Promise<void> {
    refuseFrequentPassword('password', password);
    const reset = await this.resets.find(token);
    const owner = reset && (await this.accounts.find(reset.userId));
    if (!reset || !owner || !stillCounts(reset, owner)) throw new ApiError('invalid_link');
    const account = await this.ownPassword.replace(owner.key, password, {
      how: 'reset',
      survivingSession: null,
      isAllowed: current => stillCounts(reset, current),
      refusal: 'invalid_link',
    });
    await afterChange('a password was changed', {
      // The reader of the mailbox is the owner: a stranger's guesses must not lock them out.
      'failed attempts still count': this.throttle.forgetFailures(foldEmail(account.email)),
    });
  }
}
