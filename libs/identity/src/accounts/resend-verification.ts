import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailField } from '#http/fields';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { foldEmail } from './email-address.js';
import { Throttle } from './throttle.js';

/** The body of `POST /auth/password/resend`. */
export class ResendVerificationBody {
  @EmailField({ description: 'The address that signed up; the link is mailed to it' })
  email!: string;
}

export class ResendVerification extends Command<void> {
  constructor(
    readonly body: ResendVerificationBody,
    readonly networkAddress: string,
  ) {
    super();
  }
}

/**
 * Requests a new link for the latest sign-up of an address, even if its former link has expired. It is mailed after the
 * response, which is the same for every address.
 */
@CommandHandler(ResendVerification)
export class ResendVerificationHandler implements ICommandHandler<ResendVerification> {
  constructor(
    private readonly throttle: Throttle,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ body: { email }, networkAddress }: ResendVerification): Promise<void> {
    await this.throttle.mail(foldEmail(email), networkAddress, () =>
      this.outbox.record({ kind: 'resend', email }),
    );
  }
}
