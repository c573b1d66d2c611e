import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { tokenAnswer } from './token-answer.js';
import type { TokensAnswer } from './token-answer.js';
import { Tokens } from './tokens.js';

export class ListTokens extends Query<TokensAnswer> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The caller's tokens, the newest first, none with its secret. */
@QueryHandler(ListTokens)
export class ListTokensHandler implements IQueryHandler<ListTokens> {
  constructor(private readonly tokens: Tokens) {}

  async execute({ userId }: ListTokens): Promise<TokensAnswer> {
    const tokens = await this.tokens.ofUser(userId);
    return { tokens: tokens.map(token => tokenAnswer(token, null)) };
  }
}
