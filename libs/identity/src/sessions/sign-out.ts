import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../access/caller.js';
import { Sessions } from './sessions.js';
import { CommandOf } from '../use-case.js';

export class SignOut extends CommandOf<Caller> {}

/** Ends the session of the call, if it has not ended yet. */
@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ asked: caller }: SignOut): Promise<void> {
    await this.sessions.end(caller.userId, caller.credential.id);
  }
}
