import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#concurrency/clock';
import { Documents } from '#storage/documents/documents';
import { SCOPES, type Scope } from '#http/access';
import { limitReached } from '#http/api-error';
import { EnumListField, IntegerField, NameField } from '#http/fields';
import { RecordChanges } from '../record-changes.js';
import { hashOfSecret, SECRET_BYTES, tokenSecret, Randomness } from '../secrets.js';
import {
  TOKENS,
  TOKENS_PER_USER_MAX,
  tokenResponse,
  Tokens,
  type PersonalAccessToken,
  type TokenResponse,
} from './tokens.js';
import type { Caller } from '../access/caller.js';
import { CommandOf } from '../use-case.js';

/** The longest that a token with an end lasts, in days: about ten years. */
const EXPIRES_IN_DAYS_MAX = 3650;

/** The body of `POST /tokens`. */
export class CreateTokenBody {
  @NameField({ description: 'A name chosen by the user', example: 'Import script' })
  name!: string;

  @EnumListField(SCOPES, { min: 1, optional: true, description: 'The scopes; if absent, all' })
  scopes?: Scope[];

  @IntegerField({
    min: 1,
    max: EXPIRES_IN_DAYS_MAX,
    optional: true,
    description: 'Days until it expires; if absent, it does not expire',
  })
  expires_in_days?: number;
}

export class CreateToken extends CommandOf<{ body: CreateTokenBody; caller: Caller }, TokenResponse> {}

const DAY_MS = 24 * 3_600_000;
/** How long a token is still listed after it has expired. */
const EXPIRED_TOKEN_KEPT_MS = 30 * DAY_MS;

/** Creates a token; only this response contains its secret. @throws ApiError `conflict` if the caller has too many */
@CommandHandler(CreateToken)
export class CreateTokenHandler implements ICommandHandler<CreateToken> {
  constructor(
    private readonly documents: Documents,
    private readonly changes: RecordChanges,
    private readonly tokens: Tokens,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** One after the other for a user, since each counts the existing ones. */
  async execute(command: CreateToken): Promise<TokenResponse> {
    return this.changes.inTurn(`tokens of ${command.asked.caller.userId}`, () => this.create(command));
  }

  private async create({ asked }: CreateToken): Promise<TokenResponse> {
    const { userId } = asked.caller;
    const { name, scopes = SCOPES, expires_in_days: days } = asked.body;
    if ((await this.tokens.ofUser(userId)).length >= TOKENS_PER_USER_MAX) {
      throw limitReached('You have too many tokens. Delete one first.', TOKENS_PER_USER_MAX);
    }
    const secret = tokenSecret(this.randomness.bytes(SECRET_BYTES));
    const now = this.clock.now();
    const validUntil = days === undefined ? null : now + days * DAY_MS;
    const token: PersonalAccessToken = {
      key: hashOfSecret(secret),
      revision: 1,
      id: this.randomness.ulid(now),
      userId,
      name,
      scopes,
      createdAt: now,
      lastUsedAt: null,
      validUntil,
      ...(validUntil !== null && { expiresAt: validUntil + EXPIRED_TOKEN_KEPT_MS }),
    };
    await this.documents.insert(TOKENS, token);
    return tokenResponse(token, secret);
  }
}
