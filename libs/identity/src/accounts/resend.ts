import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailField } from '#http/fields';
import { MailDuties } from '../mails/mail-duties.js';
import { foldEmail } from './account-records.js';
import { Throttle } from './throttle.js';

export class ResendBody {
  @EmailField({ description: 'The address that signed up; the link is mailed to it' })
  email!: string;
}

export class Resend extends Command<void> {
  constructor(
    readonly body: ResendBody,
    readonly networkAddress: string,
  ) {
    super();
  }
}

/**
 * Sees to a new link for the latest sign-up of an address, also where its former link is over. That happens after the
 * answer, which is the same for every address.
 */
@CommandHandler(Resend)
export class ResendHandler implements ICommandHandler<Resend> {
  constructor(
    private readonly throttle: Throttle,
    private readonly duties: MailDuties,
  ) {}

  async execute({ body: { email }, networkAddress }: Resend): Promise<void> {
    if (!(await this.throttle.allowsMail(foldEmail(email), networkAddress))) return;
    await this.duties.record({ kind: 'resend', email });
  }
}
