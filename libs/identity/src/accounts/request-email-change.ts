import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { EmailField, PasswordField } from '#http/fields';
import type { Caller } from '../access/caller.js';
import { OutboxMessages } from '../mails/outbox-messages.js';
import { Accounts } from './accounts.js';
import { foldEmail } from './email-address.js';
import { EmailChanges } from './email-changes.js';
import { OwnPassword } from './passwords.js';
import { Throttle } from './throttle.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /auth/email`. */
export class RequestEmailChangeBody {
  @EmailField({ description: 'The new address; the link is mailed to it' })
  email!: string;

  @PasswordField({ signIn: true, description: 'The caller’s password' })
  password!: string;
}

export class RequestEmailChange extends CommandOf<{
  body: RequestEmailChangeBody;
  caller: Caller;
  networkAddress: string;
}> {}

/** Records the new address. Whether it is taken is looked up after the response, which so cannot reveal it. */
@CommandHandler(RequestEmailChange)
export class RequestEmailChangeHandler implements ICommandHandler<RequestEmailChange> {
  constructor(
    private readonly ownPassword: OwnPassword,
    private readonly throttle: Throttle,
    private readonly accounts: Accounts,
    private readonly emailChanges: EmailChanges,
    private readonly outbox: OutboxMessages,
  ) {}

  async execute({ asked: { body, caller, networkAddress } }: RequestEmailChange): Promise<void> {
    const { email, password } = body;
    const owner = await this.ownPassword.require(caller.userId, password, networkAddress);
    await this.throttle.mail(foldEmail(email), networkAddress, async () => {
      const { linkHash, ...emailChange } = this.emailChanges.draw(email);
      const account = await this.accounts.change(owner.key, current => {
        if (current.sessionEpoch !== owner.sessionEpoch) throw new ApiError('invalid_credentials');
        return { ...current, emailChange, emailLinkHash: linkHash };
      });
      await this.outbox.record({ kind: 'email-change', userId: owner.key, changeId: emailChange.id });
      await this.outbox.record({ kind: 'email-change-note', email: account.email });
    });
  }
}
