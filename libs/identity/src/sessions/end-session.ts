import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Sessions } from './sessions.js';
import type { Caller } from '../access/caller.js';
import { CommandOf } from '../use-case.js';

export class EndSession extends CommandOf<{ caller: Caller; sessionId: string }, boolean> {}

/** Ends one of the caller's sessions. Returns whether there was one. */
@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ asked: { caller, sessionId } }: EndSession): Promise<boolean> {
    return this.sessions.end(caller.userId, sessionId);
  }
}
