import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#concurrency/clock';
import { EmailField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { Accounts } from '../accounts/accounts.js';
import { foldEmail } from '../accounts/email-address.js';
import { Throttle } from '../accounts/throttle.js';
import { INVITE_MS, type PendingInvite } from '../households/household-records.js';
import { Households } from '../households/households.js';
import { SECRET_BYTES, Randomness } from '../secrets.js';
import { OutboxMessages, type MailErrand } from '../mails/outbox-messages.js';
import { keyedCommand, RepeatableChanges, type KeyedCall } from '../repeatable-changes.js';
import { Invites, type InviteResponse } from './invites.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /households/{householdId}/invites`. */
export class SendInviteBody {
  @EmailField({ description: 'The address to invite', example: 'ben@example.org' })
  email!: string;
}

export class SendInvite extends CommandOf<
  { call: KeyedCall; householdId: string; body: SendInviteBody },
  Answer<InviteResponse>
> {}

/** Any member invites by e-mail; a pending invite of the same address is replaced. */
@CommandHandler(SendInvite)
export class SendInviteHandler implements ICommandHandler<SendInvite> {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
    private readonly throttle: Throttle,
    private readonly outbox: OutboxMessages,
    private readonly invites: Invites,
    private readonly changes: RepeatableChanges,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async execute({ asked: { call, householdId, body } }: SendInvite): Promise<Answer<InviteResponse>> {
    const invitee = await this.accounts.findByEmail(body.email);
    const command = keyedCommand(call, { command: 'send-invite', body });
    const drawn = this.draw(call.userId, body.email);
    const { record, applied, replayed } = await this.households.change(householdId, command, draft => {
      draft.memberOrRefuse(call.userId);
      draft.invite(drawn, invitee?.key ?? null);
      return { made: drawn.id };
    });
    const inviteId = applied?.made ?? drawn.id;
    // A repetition also sends the mail if the first call ended before that.
    await this.changes.finish(householdId, applied, () =>
      this.oweMail(body.email, call.userId, { kind: 'invite', householdId, inviteId }),
    );
    const found = replayed ? await this.households.findInvite('id', inviteId) : null;
    const invite = found ? { ...found.invite, status: found.status } : drawn;
    const [answer] = await this.invites.present([{ household: record, invite }]);
    return { body: answer!, replayed };
  }

  private draw(inviterId: string, email: string): PendingInvite {
    const now = this.clock.now();
    return {
      id: this.randomness.ulid(now),
      email,
      inviterId,
      createdAt: now,
      endsAt: now + INVITE_MS,
      token: this.randomness.bytes(SECRET_BYTES).toString('base64url'),
    };
  }

  private async oweMail(email: string, callerId: string, errand: MailErrand): Promise<void> {
    await this.throttle.inviteMail(foldEmail(email), callerId, () => this.outbox.record(errand));
  }
}
