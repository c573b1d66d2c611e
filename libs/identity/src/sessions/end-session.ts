import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import { Sessions } from './sessions.js';
import type { Caller } from '../access/caller.js';
import { CommandOf } from '../use-case.js';

export class EndSession extends CommandOf<{ caller: Caller; sessionId: string }> {}

/** Ends one of the caller's sessions. */
@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ asked: { caller, sessionId } }: EndSession): Promise<void> {
    if (!(await this.sessions.end(caller.userId, sessionId))) throw notFound('session');
  }
}
