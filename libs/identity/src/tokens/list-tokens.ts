import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { tokenResponse, type TokenListResponse, Tokens } from './tokens.js';
import type { Caller } from '../access/caller.js';
import { QueryOf } from '../use-case.js';

export class ListTokens extends QueryOf<Caller, TokenListResponse> {}

/** The caller's tokens, the newest first, none with its secret. */
@QueryHandler(ListTokens)
export class ListTokensHandler implements IQueryHandler<ListTokens> {
  constructor(private readonly tokens: Tokens) {}

  async execute({ asked: { userId } }: ListTokens): Promise<TokenListResponse> {
    const tokens = await this.tokens.ofUser(userId);
    return { tokens: tokens.map(token => tokenResponse(token, null)) };
  }
}
