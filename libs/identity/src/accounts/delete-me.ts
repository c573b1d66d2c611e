import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PasswordField } from '#http/fields';
import { ErasureWork } from '../erasure/erasure-work.js';
import { OwnPassword } from './passwords.js';
import type { Caller } from '../access/caller.js';
import { CommandOf } from '../use-case.js';

/** The body of `DELETE /me`. */
export class DeleteMeBody {
  @PasswordField({ signIn: true, description: 'The caller’s password' })
  password!: string;
}

export class DeleteMe extends CommandOf<{ body: DeleteMeBody; caller: Caller; networkAddress: string }> {}

/** Erases the caller for good, with every household that is theirs alone. @throws ApiError `last_owner` */
@CommandHandler(DeleteMe)
export class DeleteMeHandler implements ICommandHandler<DeleteMe> {
  constructor(
    private readonly ownPassword: OwnPassword,
    private readonly erasures: ErasureWork,
  ) {}

  async execute({ asked: { body, caller, networkAddress } }: DeleteMe): Promise<void> {
    await this.ownPassword.require(caller.userId, body.password, networkAddress);
    await this.erasures.eraseUser(caller.userId, caller.userId);
  }
}
