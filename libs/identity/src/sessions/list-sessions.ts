import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { At, Flag, Id, ListOf, OneOf, ResponseOf, Text } from '#http/response-fields';
import type { Caller } from '../access/caller.js';
import { Accounts } from '../accounts/accounts.js';
import { Sessions, CLIENTS } from './sessions.js';
import { QueryOf } from '../use-case.js';

@ApiSchema({ name: 'Session', description: 'A session of a user' })
class SessionResponse extends ResponseOf({
  id: Id('The session'),
  client: OneOf(CLIENTS, 'The `client` given at sign-in', 'web'),
  user_agent: Text('The `User-Agent` at sign-in', 'Mozilla/5.0', { nullable: true }),
  created_at: At('When the user signed in'),
  last_used_at: At('When it was last used, to the minute'),
  current: Flag('Whether it is the current session', true),
}) {}

/** The answer of `GET /auth/sessions`: all that are not over. */
@ApiSchema({ name: 'SessionList' })
export class SessionListResponse extends ResponseOf({
  sessions: ListOf(SessionResponse, 'Newest first'),
}) {}

export class ListSessions extends QueryOf<Caller, SessionListResponse> {}

/** The caller's sessions, the newest first. */
@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  async execute({ asked: caller }: ListSessions): Promise<SessionListResponse> {
    const account = await this.accounts.require(caller.userId);
    const sessions = await this.sessions.ofAccount(account);
    return {
      sessions: sessions.map(({ id, client, userAgent, createdAt, lastUsedAt }) => ({
        id,
        client,
        user_agent: userAgent,
        created_at: new Date(createdAt).toISOString(),
        last_used_at: new Date(lastUsedAt).toISOString(),
        current: id === caller.credential.id,
      })),
    };
  }
}
