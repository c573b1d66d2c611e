import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { tokenResponse, type TokenListResponse, Tokens } from './tokens.js';

export class ListTokens extends Query<TokenListResponse> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The caller's tokens, the newest first, none with its secret. */
@QueryHandler(ListTokens)
export class ListTokensHandler implements IQueryHandler<ListTokens> {
  constructor(private readonly tokens: Tokens) {}

  async execute({ userId }: ListTokens): Promise<TokenListResponse> {
    const tokens = await this.tokens.ofUser(userId);
    return { tokens: tokens.map(token => tokenResponse(token, null)) };
  }
}
