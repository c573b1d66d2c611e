import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../access/caller.js';
import { Sessions } from './sessions.js';

export class SignOut extends Command<void> {
  constructor(readonly caller: Caller) {
    super();
  }
}

/** Ends the session of the call, if it has not ended yet. */
@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ caller }: SignOut): Promise<void> {
    await this.sessions.end(caller.userId, caller.credential.id);
  }
}
