import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { EnumField, LinkTokenField } from '#http/fields';
import { CLIENTS, Sessions, type Client } from '../sessions/sessions.js';
import { AccountOpening } from './account-opening.js';
import { Accounts } from './accounts.js';
import { Profiles, type SignedInResponse } from './profiles.js';
import { SignUps } from './sign-up-records.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/password/verify`; the token is that of the mailed link. */
export class VerifyEmailBody {
  @LinkTokenField()
  token!: string;

  @EnumField(CLIENTS, { description: '`web` gets a cookie as well' })
  client!: Client;
}

export class VerifyEmail extends CommandOf<
  { body: VerifyEmailBody; userAgent: string | undefined },
  SignedInResponse
> {}

/** Redeems a verification link. Of several redemptions at once exactly one wins: the account's insertion decides. */
@CommandHandler(VerifyEmail)
export class VerifyEmailHandler implements ICommandHandler<VerifyEmail> {
  constructor(
    private readonly signUps: SignUps,
    private readonly accounts: Accounts,
    private readonly opening: AccountOpening,
    private readonly sessions: Sessions,
    private readonly profiles: Profiles,
  ) {}

  async execute({ asked: { body, userAgent } }: VerifyEmail): Promise<SignedInResponse> {
    const found = await this.signUps.byLink(body.token);
    if (found === null) throw new ApiError('invalid_link');
    const { emailFolded, signUp } = found;
    if ((await this.accounts.findByEmail(signUp.email)) !== null) throw new ApiError('invalid_link');
    if (!(await this.opening.admits(emailFolded))) {
      const verified = await this.signUps.verifyOnly(emailFolded, signUp);
      throw new ApiError(verified ? 'not_invited' : 'invalid_link');
    }
    const account = await this.opening.open(signUp);
    if (account === null) throw new ApiError('invalid_link');
    const token = await this.sessions.start(account, body.client, userAgent);
    return { token, me: await this.profiles.me(account) };
  }
}
