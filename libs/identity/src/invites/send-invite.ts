import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { EmailField } from '#http/fields';
import { Accounts, foldEmail } from '../accounts/account-records.js';
import { Throttle } from '../accounts/throttle.js';
import { INVITE_MS } from '../households/household-records.js';
import type { PendingInvite } from '../households/household-records.js';
import { Households } from '../households/households.js';
import { MailDuties } from '../mails/mail-duties.js';
import { Clock, Randomness } from '../surroundings.js';
import { InvitePresenter } from './invite-answer.js';
import type { InviteAnswer } from './invite-answer.js';

const TOKEN_BYTES = 32;

export class SendInviteBody {
  @EmailField({ example: 'ben@example.org' })
  email!: string;
}

export class SendInvite extends Command<InviteAnswer> {
  constructor(
    readonly callerId: string,
    readonly householdId: string,
    readonly body: SendInviteBody,
  ) {
    super();
  }
}

/** Any member invites by e-mail; a pending invite of the same address is replaced. */
@CommandHandler(SendInvite)
export class SendInviteHandler implements ICommandHandler<SendInvite> {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
    private readonly throttle: Throttle,
    private readonly duties: MailDuties,
    private readonly presenter: InvitePresenter,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async execute({ callerId, householdId, body }: SendInvite): Promise<InviteAnswer> {
    const emailFolded = foldEmail(body.email);
    const now = this.clock.now();
    const invite: PendingInvite = {
      id: this.randomness.ulid(now),
      email: body.email,
      emailFolded,
      inviterId: callerId,
      createdAt: now,
      endsAt: now + INVITE_MS,
      token: this.randomness.bytes(TOKEN_BYTES).toString('base64url'),
    };
    const invitee = await this.accounts.findByEmail(emailFolded);
    const household = await this.households.change(householdId, draft => {
      draft.memberOrRefuse(callerId);
      draft.invite(invite, invitee?.key ?? null);
    });
    if (await this.throttle.allowsInviteMail(emailFolded, callerId)) {
      await this.duties.record({ kind: 'invite', householdId, inviteId: invite.id });
    }
    const [answer] = await this.presenter.present([{ household, invite }]);
    return answer!;
  }
}
