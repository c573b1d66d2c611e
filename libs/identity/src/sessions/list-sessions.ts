import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { ApiError } from '#http/api-error';
import { ULID_EXAMPLE } from '#http/fields';
import type { Caller } from '../access/caller.js';
import { Accounts } from '../accounts/accounts.js';
import { timestamp } from '../timestamp.js';
import { CLIENTS, Sessions } from './sessions.js';
import type { Client } from './sessions.js';

export class SessionAnswer {
  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  id!: string;

  @ApiProperty({ enum: CLIENTS })
  client!: Client;

  @ApiProperty({ type: 'string', nullable: true, description: 'As the program called itself' })
  user_agent!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Exact to a minute' })
  last_used_at!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether it is the session that asks' })
  current!: boolean;
}

export class SessionsAnswer {
  @ApiProperty({ type: [SessionAnswer] })
  sessions!: SessionAnswer[];
}

export class ListSessions extends Query<SessionsAnswer> {
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

  async execute({ caller }: ListSessions): Promise<SessionsAnswer> {
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
