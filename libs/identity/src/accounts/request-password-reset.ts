import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailField } from '#http/fields';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { foldEmail } from './email-address.js';
import { Throttle } from './throttle.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/password/forgot`. */
export class RequestPasswordResetBody {
  @EmailField({ description: 'The address of the account; the link is mailed to it' })
  email!: string;
}

export class RequestPasswordReset extends CommandOf<{
  body: RequestPasswordResetBody;
  networkAddress: string;
}> {}

/** Requests a link for a new password. It is mailed after the response, which is the same for every address. */
@CommandHandler(RequestPasswordReset)
export class RequestPasswordResetHandler implements ICommandHandler<RequestPasswordReset> {
  constructor(
    private readonly throttle: Throttle,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ asked: { body, networkAddress } }: RequestPasswordReset): Promise<void> {
    const { email } = body;
    await this.throttle.mail(foldEmail(email), networkAddress, () =>
      this.outbox.record({ kind: 'reset', email }),
    );
  }
}
