import { ApiProperty } from '@nestjs/swagger';
import { SCOPES } from '#http/access';
import type { Scope } from '#http/access';
import { ULID_EXAMPLE } from '#http/fields';
import { timestamp } from '../timestamp.js';
import type { PersonalAccessToken } from './tokens.js';

export class TokenAnswer {
  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  id!: string;

  @ApiProperty({ type: 'string', example: 'Import script' })
  name!: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes!: Scope[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Exact to a minute' })
  last_used_at!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Null: never' })
  expires_at!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Only in the answer that creates the token' })
  secret!: string | null;
}

export class TokensAnswer {
  @ApiProperty({ type: [TokenAnswer] })
  tokens!: TokenAnswer[];
}

export function tokenAnswer(token: PersonalAccessToken, secret: string | null): TokenAnswer {
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
