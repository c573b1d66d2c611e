import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailField } from '#http/fields';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { foldEmail } from './email-address.js';
import { Throttle } from './throttle.js';

/** The body of `POST /auth/password/forgot`. */
export class RequestPasswordResetBody {
  @EmailField({ description: 'The address of the account; the link is mailed to it' })
  email!: string;
}

export class RequestPasswordReset extends Command<void> {
  constructor(
    readonly body: RequestPasswordResetBody,
    readonly networkAddress: string,
  ) {
    super();
  }
}

/** Requests a link for a new password. It is mailed after the response, which is the same for every address. */
@CommandHandler(RequestPasswordReset)
export class RequestPasswordResetHandler implements ICommandHandler<RequestPasswordReset> {
  constructor(
    private readonly throttle: Throttle,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ body: { email }, networkAddress }: RequestPasswordReset): Promise<void> {
    await this.throttle.mail(foldEmail(email), networkAddress, () =>
      this.outbox.record({ kind: 'reset', email }),
    );
  }
}
