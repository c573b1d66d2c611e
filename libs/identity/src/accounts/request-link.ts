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

/** The body of `POST /auth/password/forgot`. */
export class RequestPasswordResetBody {
  @EmailField({ description: 'The address of the account; the link is mailed to it' })
  email!: string;
}

/** Asks for a new link of the latest sign-up of an address, or for a link for a new password. */
export class RequestLink extends CommandOf<{
  kind: 'resend' | 'reset';
  email: string;
  networkAddress: string;
}> {}

/** Requests a link. It is mailed after the response, which is the same for every address. */
@CommandHandler(RequestLink)
export class RequestLinkHandler implements ICommandHandler<RequestLink> {
  constructor(
    private readonly throttle: Throttle,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ asked: { kind, email, networkAddress } }: RequestLink): Promise<void> {
    await this.throttle.mail(foldEmail(email), networkAddress, () => this.outbox.record({ kind, email }));
  }
}
