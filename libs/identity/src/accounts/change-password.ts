import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { PasswordField } from '#http/fields';
import type { Caller } from '../access/caller.js';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { Sessions } from '../sessions/sessions.js';
import { Accounts, afterChange } from './accounts.js';
import { NO_EMAIL_CHANGE } from './account-records.js';
import { OwnPassword, Passwords, refuseFrequentPassword } from './passwords.js';
import { CommandOf } from '../use-case.js';

/** The body of `PUT /auth/password`. */
export class ChangePasswordBody {
  @PasswordField({ signIn: true, description: 'The caller’s present password' })
  current_password!: string;

  @PasswordField({ description: 'The new password' })
  new_password!: string;
}

export class ChangePassword extends CommandOf<{
  body: ChangePasswordBody;
  caller: Caller;
  networkAddress: string;
}> {}

/** Changes the password of a caller who knows the present one, and ends every other session. */
@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly ownPassword: OwnPassword,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ asked: { body, caller, networkAddress } }: ChangePassword): Promise<void> {
    refuseFrequentPassword('new_password', body.new_password);
    const owner = await this.ownPassword.require(caller.userId, body.current_password, networkAddress);
    const passwordHash = await this.passwords.hash(body.new_password);
    const account = await this.accounts.change(owner.key, current => {
      // Another session changed it meanwhile: the password that was compared is not the present one.
      if (current.sessionEpoch !== owner.sessionEpoch) throw new ApiError('invalid_credentials');
      return {
        ...current,
        passwordHash,
        sessionEpoch: current.sessionEpoch + 1,
        survivingSession: caller.credential.id,
        ...NO_EMAIL_CHANGE,
      };
    });
    await afterChange('a password was changed', {
      'ended sessions were not removed': this.sessions.clearEnded(account),
      'no mail was sent to its owner': this.outbox.record({
        kind: 'password-changed',
        userId: account.key,
        how: 'changed',
      }),
    });
  }
}
