import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SCOPES, type Scope } from '#http/access';
import { EnumListField, IntegerField, NameField } from '#http/fields';
import { tokenResponse, type TokenResponse, Tokens } from './tokens.js';

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

export class CreateToken extends Command<TokenResponse> {
  constructor(
    readonly userId: string,
    readonly body: CreateTokenBody,
  ) {
    super();
  }
}

/**
 * Creates a token; only this response contains its secret.
 * @throws ApiError `conflict` where the caller has too many
 */
@CommandHandler(CreateToken)
export class CreateTokenHandler implements ICommandHandler<CreateToken> {
  constructor(private readonly tokens: Tokens) {}

  async execute({ userId, body }: CreateToken): Promise<TokenResponse> {
    const { token, secret } = await this.tokens.create(userId, {
      name: body.name,
      scopes: body.scopes ?? SCOPES,
      expiresInDays: body.expires_in_days,
    });
    return tokenResponse(token, secret);
  }
}
