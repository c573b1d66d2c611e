import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import { Sessions } from './sessions.js';

export class EndSession extends Command<void> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super();
  }
}

/** Ends one of the caller's sessions. */
@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ userId, sessionId }: EndSession): Promise<void> {
    if (!(await this.sessions.end(userId, sessionId))) throw notFound('session');
  }
}
