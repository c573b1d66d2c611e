import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PasswordField } from '#http/fields';
import type { Caller } from '../access/caller.js';
import { OwnPassword, refuseFrequentPassword } from './passwords.js';
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
  constructor(private readonly ownPassword: OwnPassword) {}

  async execute({ asked: { body, caller, networkAddress } }: ChangePassword): Promise<void> {
    refuseFrequentPassword('new_password', body.new_password);
    const owner = await this.ownPassword.require(caller.userId, body.current_password, networkAddress);
    await this.ownPassword.replace(owner.key, body.new_password, {
      how: 'changed',
      survivingSession: caller.credential.id,
      // Another session changed it meanwhile: the password that was compared is not the present one.
      isAllowed: current => current.sessionEpoch === owner.sessionEpoch,
      refusal: 'invalid_credentials',
    });
  }
}
