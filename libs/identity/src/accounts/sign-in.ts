import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { EmailField, EnumField, PasswordField } from '#http/fields';
import { CLIENTS, Sessions, type Client } from '../sessions/sessions.js';
import { AccountOpening } from './account-opening.js';
import { Accounts } from './accounts.js';
import type { Account } from './account-records.js';
import { foldEmail } from './email-address.js';
import { Profiles, type SignedInResponse } from './profiles.js';
import { Passwords } from './passwords.js';
import { SignUps, type Applicant, type SignUpRecord, type VerifiedApplicant } from './sign-up-records.js';
import { Throttle } from './throttle.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/password/sign-in`. */
export class SignInBody {
  @EmailField({
    description: 'The address of the account, in any letter case and any spelling of the domain',
  })
  email!: string;

  @PasswordField({ signIn: true, description: 'The password of the account' })
  password!: string;

  @EnumField(CLIENTS, { description: '`web` gets a cookie as well' })
  client!: Client;
}

export class SignIn extends CommandOf<
  { body: SignInBody; networkAddress: string; userAgent: string | undefined },
  SignedInResponse
> {}

/** The owner of an address and a password: an account or, without one, a verified sign-up. */
type Known = { readonly account: Account } | { readonly applicant: VerifiedApplicant };

/** Signs in. Neither the response nor its time reveals whether an address is known. */
@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(
    private readonly throttle: Throttle,
    private readonly accounts: Accounts,
    private readonly signUps: SignUps,
    private readonly passwords: Passwords,
    private readonly opening: AccountOpening,
    private readonly sessions: Sessions,
    private readonly profiles: Profiles,
  ) {}

  async execute({ asked: { body, networkAddress, userAgent } }: SignIn): Promise<SignedInResponse> {
    const known = await this.throttle.judged(foldEmail(body.email), networkAddress, () =>
      this.known(body.email, body.password),
    );
    if (known === false) throw new ApiError('invalid_credentials');
    if (known === 'pending') throw new ApiError('email_not_verified');
    const owner = 'account' in known ? known.account : await this.admitted(known.applicant);
    const token = await this.sessions.start(owner, body.client, userAgent);
    return { token, me: await this.profiles.me(owner) };
  }

  /** The owner of an address and a password: the same is read and one password hashed for every address. */
  private async known(email: string, password: string): Promise<Known | 'pending' | false> {
    const emailFolded = foldEmail(email);
    const [account, signUp] = await Promise.all([
      this.accounts.findByEmail(email),
      this.signUps.find(emailFolded),
    ]);
    if (account === null) return this.knownToSignUp(signUp, emailFolded, password);
    const matches = await this.passwords.matches(account.passwordHash, password);
    return matches && account.disabled !== true && { account };
  }

  /** Compares the password with everyone who signed up with the address, by one hash. */
  private async knownToSignUp(
    record: SignUpRecord | null,
    emailFolded: string,
    password: string,
  ): Promise<Known | 'pending' | false> {
    const given = await this.passwords.hashForSignUp(emailFolded, password);
    const hasPassword = ({ passwordHash }: Applicant): Promise<boolean> =>
      this.passwords.matchesSignUp(passwordHash, given, password);
    const applicant = record?.verified;
    if (applicant && (await hasPassword(applicant))) return { applicant };
    for (const signUp of record?.signUps ?? []) if (await hasPassword(signUp)) return 'pending';
    return false;
  }

  /**
   * The account of a verified address. Signing in creates it, once the address is admitted.
   * @throws ApiError `not_invited` before, `invalid_credentials` if it was created with another password meanwhile
   */
  private async admitted(applicant: VerifiedApplicant): Promise<Account> {
    if (!(await this.opening.admits(foldEmail(applicant.email)))) throw new ApiError('not_invited');
    const account = await this.opening.open(applicant);
    if (account !== null) return account;
    // Another request was faster, most likely of the same person.
    const other = await this.accounts.findByEmail(applicant.email);
    if (other?.passwordHash !== applicant.passwordHash) throw new ApiError('invalid_credentials');
    return other;
  }
}
