import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import { Tokens } from './tokens.js';
import type { Caller } from '../access/caller.js';
import { CommandOf } from '../use-case.js';

export class DeleteToken extends CommandOf<{ caller: Caller; tokenId: string }> {}

/** Revokes a token, from the next request on. */
@CommandHandler(DeleteToken)
export class DeleteTokenHandler implements ICommandHandler<DeleteToken> {
  constructor(private readonly tokens: Tokens) {}

  async execute({ asked: { caller, tokenId } }: DeleteToken): Promise<void> {
    if (!(await this.tokens.revoke(caller.userId, tokenId))) throw notFound('token');
  }
}
