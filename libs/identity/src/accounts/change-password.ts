import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { PasswordField } from '#http/fields';
import type { Caller } from '../access/caller.js';
import { MailDuties } from '../mails/mail-duties.js';
import { Sessions } from '../sessions/sessions.js';
import { Accounts } from './accounts.js';
import { foldEmail } from './email-address.js';
import { afterChange } from './after-change.js';
import { Passwords, refuseFrequentPassword } from './passwords.js';
import { Throttle } from './throttle.js';

/** The body of `PUT /auth/password`. */
export class ChangePasswordBody {
  @PasswordField({ signIn: true, description: 'The caller’s present password' })
  current_password!: string;

  @PasswordField({ description: 'The new password' })
  new_password!: string;
}

export class ChangePassword extends Command<void> {
  constructor(
    readonly body: ChangePasswordBody,
    readonly caller: Caller,
    readonly networkAddress: string,
  ) {
    super();
  }
}

/** Changes the password of who knows the present one, and ends every session but the one that does it. */
@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly throttle: Throttle,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly duties: MailDuties,
  ) {}

  async execute({ body, caller, networkAddress }: ChangePassword): Promise<void> {
    refuseFrequentPassword('new_password', body.new_password);
    const owner = await this.accounts.find(caller.userId);
    if (owner === null) throw new ApiError('unauthenticated');
    // A stolen session must not be a way to guess the password.
    const isKnown = await this.throttle.judged(foldEmail(owner.email), networkAddress, () =>
      this.passwords.matches(owner.passwordHash, body.current_password),
    );
    if (!isKnown) {
      throw new ApiError('invalid_credentials', {}, { message: 'The current password is wrong.' });
    }
    const passwordHash = await this.passwords.hash(body.new_password);
    const account = await this.accounts.change(owner.key, current => {
      // Changed by another session meanwhile: what was compared is not the password any more.
      if (current.sessionEpoch !== owner.sessionEpoch) throw new ApiError('invalid_credentials');
      return {
        ...current,
        passwordHash,
        sessionEpoch: current.sessionEpoch + 1,
        survivingSession: caller.credential.id,
      };
    });
    await afterChange({
      'ended sessions were not removed': this.sessions.clearEnded(account),
      'no mail was sent to its owner': this.duties.record({
        kind: 'password-changed',
        userId: account.key,
        how: 'changed',
      }),
    });
  }
}
