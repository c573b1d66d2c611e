import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailField } from '#http/fields';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { foldEmail } from './email-address.js';
import { Throttle } from './throttle.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/password/resend`. */
export class ResendVerificationBody {
  @EmailField({ description: 'The address that signed up; the link is mailed to it' })
  email!: string;
}

export class ResendVerification extends CommandOf<{ body: ResendVerificationBody; networkAddress: string }> {}

/** Requests a new link for the latest sign-up of an address, mailed after the response: the same for every address. */
@CommandHandler(ResendVerification)
export class ResendVerificationHandler implements ICommandHandler<ResendVerification> {
  constructor(
    private readonly throttle: Throttle,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ asked: { body, networkAddress } }: ResendVerification): Promise<void> {
    const { email } = body;
    await this.throttle.mail(foldEmail(email), networkAddress, () =>
      this.outbox.record({ kind: 'resend', email }),
    );
  }
}
