import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PasswordField } from '#http/fields';
import { ErasureWork } from '../erasure/erasure-work.js';
import { OwnPassword } from './passwords.js';

/** The body of `DELETE /me`. */
export class DeleteMeBody {
  @PasswordField({ signIn: true, description: 'The caller’s password' })
  password!: string;
}

export class DeleteMe extends Command<void> {
  constructor(
    readonly body: DeleteMeBody,
    readonly userId: string,
    readonly networkAddress: string,
  ) {
    super();
  }
}

/** Erases the caller for good, with every household that is theirs alone. @throws ApiError `last_owner` */
@CommandHandler(DeleteMe)
export class DeleteMeHandler implements ICommandHandler<DeleteMe> {
  constructor(
    private readonly ownPassword: OwnPassword,
    private readonly erasures: ErasureWork,
  ) {}

  async execute({ body, userId, networkAddress }: DeleteMe): Promise<void> {
    await this.ownPassword.require(userId, body.password, networkAddress);
    await this.erasures.eraseUser(userId, userId);
  }
}
