import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { SCOPES, type Scope } from '#http/access';
import { At, Id, Text } from '#http/response-fields';
import { timestamp } from '#concurrency/clock';
import type { PersonalAccessToken } from './tokens.js';

const nullable = true;

/** A token in the list of tokens, and the answer of creating one. */
@ApiSchema({ name: 'PersonalAccessToken' })
export class TokenResponse {
  @Id('The token; not its secret')
  readonly id!: string;

  @Text('The name chosen by the user', 'Import script')
  readonly name!: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    description: 'The scopes that it has; a write scope includes its read scope',
    example: ['budget:read', 'transactions:write'],
  })
  readonly scopes!: readonly Scope[];

  @At('When it was created')
  readonly created_at!: string;

  @At('When it was last used, to the minute; null before its first use', { nullable })
  readonly last_used_at!: string | null;

  @At('When it expires; null if it does not', { nullable })
  readonly expires_at!: string | null;

  @Text('The bearer token. Returned only on creation, otherwise null', 'hbp_…', {
    nullable,
  })
  readonly secret!: string | null;
}

/** The answer of `GET /tokens`: all of the caller's, expired ones for a while too. */
@ApiSchema({ name: 'PersonalAccessTokenList' })
export class TokenListResponse {
  @ApiProperty({ type: [TokenResponse], description: 'Newest first' })
  readonly tokens!: readonly TokenResponse[];
}

export function tokenResponse(token: PersonalAccessToken, secret: string | null): TokenResponse {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    created_at: timestamp(token.createdAt),
    last_used_at: token.lastUsedAt === null ? null : timestamp(token.lastUsedAt),
    expires_at: token.validUntil === null ? null : timestamp(token.validUntil),
    secret,
  };
}
