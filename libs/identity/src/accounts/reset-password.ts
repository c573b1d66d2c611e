import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { LinkTokenField, PasswordField } from '#http/fields';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { Sessions } from '../sessions/sessions.js';
import { Accounts, afterChange } from './accounts.js';
import { NO_EMAIL_CHANGE } from './account-records.js';
import { foldEmail } from './email-address.js';
import { PasswordResets, wasMailedTo } from './password-resets.js';
import { Passwords, refuseFrequentPassword } from './passwords.js';
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
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly outbox: OutboxMessages,
    private readonly throttle: Throttle,
  ) {}

  async execute({ asked: { token, password } }: ResetPassword): Promise<void> {
    refuseFrequentPassword('password', password);
    const reset = await this.resets.find(token);
    const owner = reset && (await this.accounts.find(reset.userId));
    if (reset === null || owner?.sessionEpoch !== reset.epoch || !wasMailedTo(reset, owner)) {
      throw new ApiError('invalid_link');
    }
    const passwordHash = await this.passwords.hash(password);
    const account = await this.accounts.change(owner.key, current => {
      if (current.sessionEpoch !== owner.sessionEpoch) throw new ApiError('invalid_link');
      // Its link was mailed to the former address.
      if (current.emailFolded !== owner.emailFolded) throw new ApiError('invalid_link');
      const sessionEpoch = current.sessionEpoch + 1;
      return { ...current, passwordHash, sessionEpoch, survivingSession: null, ...NO_EMAIL_CHANGE };
    });
    await afterChange('a password was changed', {
      'ended sessions were not removed': this.sessions.clearEnded(account),
      // The reader of the mailbox is the owner: a stranger's guesses must not lock them out.
      'failed attempts still count': this.throttle.forgetFailures(foldEmail(account.email)),
      'no mail was sent to its owner': this.outbox.record({
        kind: 'password-changed',
        userId: account.key,
        how: 'reset',
      }),
    });
  }
}
