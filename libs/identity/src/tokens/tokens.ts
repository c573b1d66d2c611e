import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { Clock } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { type Scope, SCOPES } from '#http/access';
import { At, Id, ListOf, ResponseOf, SomeOf, Text } from '#http/response-fields';
import { hashOfSecret } from '../secrets.js';

/** A personal access token. The key is the SHA-256 of its secret, which is kept nowhere. */
export interface PersonalAccessToken extends Document {
  /** A ULID, by which its user names it. */
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  /** Exact to `LAST_USE_WRITTEN_EVERY_MS`. */
  readonly lastUsedAt: number | null;
  /** From then on it is refused; null for never. The record stays a while, so that its user sees what ended. */
  readonly validUntil: number | null;
}

export const TOKENS: Collection<PersonalAccessToken> = {
  name: 'personal_access_tokens',
  durability: 'durable',
  indexes: [{ name: 'user', equals: ['userId'], sort: 'id' }],
};

/** The most tokens of one user: their list is not paged. */
export const TOKENS_PER_USER_MAX = 200;

/** The personal access tokens of users, found by the hash of their secret. */
@Injectable()
export class Tokens {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  /** The token of a well-formed secret, unless it has expired. */
  async find(secret: string): Promise<PersonalAccessToken | null> {
    const token = await this.documents.get(TOKENS, hashOfSecret(secret));
    if (token === null) return null;
    return token.validUntil === null || token.validUntil > this.clock.now() ? token : null;
  }

  /** A user's tokens, the newest first, expired ones included. */
  async ofUser(userId: string): Promise<readonly PersonalAccessToken[]> {
    const query = { index: 'user', equals: { userId }, limit: TOKENS_PER_USER_MAX * 2 };
    return this.documents.query(TOKENS, { ...query, order: 'descending' });
  }

  /** How many of a user's tokens would be accepted now. */
  async countValid(userId: string): Promise<number> {
    const now = this.clock.now();
    const tokens = await this.ofUser(userId);
    return tokens.filter(({ validUntil }) => validUntil === null || validUntil > now).length;
  }

  /** Ends a token from the next request on. @returns whether there was one */
  async revoke(userId: string, tokenId: string): Promise<boolean> {
    const token = (await this.ofUser(userId)).find(({ id }) => id === tokenId);
    return token !== undefined && this.documents.remove(TOKENS, token.key);
  }
}

const nullable = true;

/** A token in the list of tokens, and the answer of creating one. */
@ApiSchema({ name: 'PersonalAccessToken' })
export class TokenResponse extends ResponseOf({
  id: Id('The token; not its secret'),
  name: Text('The name chosen by the user', 'Import script'),
  scopes: SomeOf(SCOPES, 'The scopes that it has; a write scope includes its read scope', [
    'budget:read',
    'transactions:write',
  ]),
  created_at: At('When it was created'),
  last_used_at: At('When it was last used, to the minute; null before its first use', { nullable }),
  expires_at: At('When it expires; null if it does not', { nullable }),
  secret: Text('The bearer token. Returned only on creation, otherwise null', 'hbp_…', { nullable }),
}) {}

/** The answer of `GET /tokens`: all of the caller's, expired ones for a while too. */
@ApiSchema({ name: 'PersonalAccessTokenList' })
export class TokenListResponse extends ResponseOf({
  tokens: ListOf(TokenResponse, 'Newest first'),
}) {}

export function tokenResponse(token: PersonalAccessToken, secret: string | null): TokenResponse {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    created_at: new Date(token.createdAt).toISOString(),
    last_used_at: token.lastUsedAt === null ? null : new Date(token.lastUsedAt).toISOString(),
    expires_at: token.validUntil === null ? null : new Date(token.validUntil).toISOString(),
    secret,
  };
}
