import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailField, NameField, PasswordField } from '#http/fields';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { foldEmail } from './email-address.js';
import { Passwords, refuseFrequentPassword } from './passwords.js';
import { SignUps } from './sign-up-records.js';
import { Throttle } from './throttle.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/password/sign-up`. */
export class SignUpBody {
  @EmailField({ description: 'The address for sign-in and mails' })
  email!: string;

  @PasswordField({ description: 'To sign in with' })
  password!: string;

  @NameField({ description: 'The name shown to other members', example: 'Ada' })
  name!: string;
}

export class SignUp extends CommandOf<{ body: SignUpBody; networkAddress: string }> {}

/** Records a sign-up. Whether the address is known is not looked up, so neither the response nor its time reveals it. */
@CommandHandler(SignUp)
export class SignUpHandler implements ICommandHandler<SignUp> {
  constructor(
    private readonly passwords: Passwords,
    private readonly throttle: Throttle,
    private readonly signUps: SignUps,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ asked: { body, networkAddress } }: SignUp): Promise<void> {
    const { email, name, password } = body;
    refuseFrequentPassword('password', password);
    // A network over its limit gets no mail, so it must not cost a hash either.
    if (!(await this.throttle.networkMayMail(networkAddress))) return;
    const emailFolded = foldEmail(email);
    const passwordHash = await this.passwords.hashForSignUp(emailFolded, password);
    await this.throttle.mail(emailFolded, networkAddress, async () => {
      const signUpId = await this.signUps.add(emailFolded, { email, name, passwordHash });
      await this.outbox.record({ kind: 'sign-up', email, signUpId });
    });
  }
}
