import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import type { Caller } from '../access/caller.js';
import { Accounts } from '../accounts/accounts.js';
import { timestamp } from '#concurrency/clock';
import type { SessionListResponse } from './session.response.js';
import { Sessions } from './sessions.js';

export class ListSessions extends Query<SessionListResponse> {
  constructor(readonly caller: Caller) {
    super();
  }
}

/** The caller's sessions, the newest first. */
@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  async execute({ caller }: ListSessions): Promise<SessionListResponse> {
    const account = await this.accounts.find(caller.userId);
    if (account === null) throw new ApiError('unauthenticated');
    const sessions = await this.sessions.ofAccount(account);
    return {
      sessions: sessions.map(({ id, client, userAgent, createdAt, lastUsedAt }) => ({
        id,
        client,
        user_agent: userAgent,
        created_at: timestamp(createdAt),
        last_used_at: timestamp(lastUsedAt),
        current: id === caller.credential.id,
      })),
    };
  }
}
