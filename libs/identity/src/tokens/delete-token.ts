import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import { Tokens } from './tokens.js';

export class DeleteToken extends Command<void> {
  constructor(
    readonly userId: string,
    readonly tokenId: string,
  ) {
    super();
  }
}

/** Revokes a token, from the next request on. */
@CommandHandler(DeleteToken)
export class DeleteTokenHandler implements ICommandHandler<DeleteToken> {
  constructor(private readonly tokens: Tokens) {}

  async execute({ userId, tokenId }: DeleteToken): Promise<void> {
    if (!(await this.tokens.revoke(userId, tokenId))) throw notFound('token');
  }
}
