import { Injectable } from '@nestjs/common';
import { isPermanent } from '#storage/jobs/job-queue';
import { Mailer } from '#mail/mailer';
import {
  alreadyRegisteredMail,
  emailChangeMail,
  emailChangeNoteMail,
  householdDeletedMail,
  inviteMail,
  passwordChangedMail,
  passwordResetMail,
  signUpMail,
  type MailContent,
} from '#mail/mail-templates';
import { type Account, Accounts, UserNames } from '../accounts/accounts.js';
import { foldEmail } from '../accounts/email-address.js';
import { EmailChanges } from '../accounts/email-changes.js';
import { PasswordResets } from '../accounts/password-resets.js';
import { SignUps, type PendingSignUp } from '../accounts/sign-up-records.js';
import { Households } from '../households/households.js';
import { IdentityConfiguration } from '../surroundings.js';
import { Tokens } from '../tokens/tokens.js';
import { MailDuties, type MailDuty, type MailErrand } from './mail-duties.js';

/** The most mails that are remembered as sent while the store cannot take that down. */
const SENT_MAX = 10_000;

interface Letter {
  readonly to: string;
  readonly content: MailContent;
}

type ErrandOf<K extends MailErrand['kind']> = Extract<MailErrand, { kind: K }>;

/**
 * Makes and sends the mails that are owed. Only here do links come to have their secrets, which go into the mail
 * and nowhere else. Whether an address is known is found out here too, long after the answer.
 */
@Injectable()
export class MailDelivery {
  /** Duties whose mail has gone, and which could not be taken off the list yet. */
  private readonly sent = new Set<string>();

  constructor(
    private readonly duties: MailDuties,
    private readonly mailer: Mailer,
    private readonly accounts: Accounts,
    private readonly names: UserNames,
    private readonly signUps: SignUps,
    private readonly resets: PasswordResets,
    private readonly emailChanges: EmailChanges,
    private readonly households: Households,
    private readonly tokens: Tokens,
    private readonly configuration: IdentityConfiguration,
  ) {}

  /**
   * Does a duty, if it still stands. May be repeated: the same duty makes the same mail, and this process sends it once.
   * @throws MailUnavailable, MailRefused, DocumentsUnavailable; the duty then stays owed, unless trying again
   *   cannot help
   */
  async deliver(dutyId: string): Promise<void> {
    if (!this.sent.has(dutyId)) await this.send(dutyId);
    await this.duties.done(dutyId);
    this.sent.delete(dutyId);
  }

  private async send(dutyId: string): Promise<void> {
    const duty = await this.duties.find(dutyId);
    const letter = duty && (await this.letterFor(duty));
    if (letter === null) return;
    try {
      await this.mailer.send({ id: dutyId, to: letter.to, ...letter.content });
    } catch (error) {
      if (isPermanent(error)) await this.duties.done(dutyId);
      throw error;
    }
    if (this.sent.size >= SENT_MAX) this.sent.clear();
    this.sent.add(dutyId);
  }

  /** The mail of a duty; null where there is no recipient, or nothing to say any more. */
  private async letterFor(duty: MailDuty): Promise<Letter | null> {
    const { errand } = duty;
    switch (errand.kind) {
      case 'sign-up': {
        const account = await this.accounts.findByEmail(errand.email);
        if (account !== null) return this.alreadyRegistered(account, duty, 'sign-up');
        return this.verification(await this.signUps.toBeMailed(foldEmail(errand.email), errand.signUpId));
      }
      case 'resend': {
        const account = await this.accounts.findByEmail(errand.email);
        if (account !== null) return this.alreadyRegistered(account, duty, 'sign-up');
        return this.verification(await this.signUps.renewLink(foldEmail(errand.email), duty.key));
      }
      case 'reset':
        return this.resetLetter(errand.email, duty);
      case 'password-changed':
        return this.passwordChangedLetter(errand, duty);
      case 'email-change':
        return this.emailChangeLetter(errand, duty);
      case 'email-change-note': {
        const content = emailChangeNoteMail({ requestedAt: owedSince(duty), link: this.link('/forgot') });
        return { to: errand.email, content };
      }
      case 'household-deleted':
        return this.householdDeletedLetter(errand, duty);
      case 'invite':
        return this.inviteLetter(errand.inviteId);
    }
  }

  private async resetLetter(email: string, duty: MailDuty): Promise<Letter | null> {
    const account = await this.accounts.findByEmail(email);
    if (account === null || account.disabled === true) return null;
    const requestedAt = owedSince(duty);
    const [secret, accessTokens] = await Promise.all([
      this.resets.make(account, duty.key, requestedAt.getTime()),
      this.tokens.countValid(account.key),
    ]);
    const link = this.link(`/reset?token=${secret}`);
    return { to: account.email, content: passwordResetMail({ requestedAt, accessTokens, link }) };
  }

  private async passwordChangedLetter(
    { userId, how }: ErrandOf<'password-changed'>,
    duty: MailDuty,
  ): Promise<Letter | null> {
    const account = await this.accounts.find(userId);
    if (account === null) return null;
    const accessTokens = await this.tokens.countValid(userId);
    const content = passwordChangedMail({ changedAt: owedSince(duty), how, accessTokens, link: this.link() });
    return { to: account.email, content };
  }

  /** The link. If the address has another account, its owner hears of that: the link would be refused. */
  private async emailChangeLetter(errand: ErrandOf<'email-change'>, duty: MailDuty): Promise<Letter | null> {
    const account = await this.accounts.find(errand.userId);
    const change = account?.emailChange;
    if (!account || change?.id !== errand.changeId) return null;
    const holder = await this.accounts.findByEmail(change.email);
    if (holder !== null && holder.key !== account.key) {
      return this.alreadyRegistered(holder, duty, 'email-change');
    }
    const link = this.link(`/confirm-email?token=${this.emailChanges.linkSecret(change.id)}`);
    return { to: change.email, content: emailChangeMail({ requestedAt: owedSince(duty), link }) };
  }

  private async householdDeletedLetter(
    { userId, householdName, by }: ErrandOf<'household-deleted'>,
    duty: MailDuty,
  ): Promise<Letter | null> {
    const account = await this.accounts.find(userId);
    if (account === null) return null;
    const content = householdDeletedMail({
      deletedAt: owedSince(duty),
      householdName,
      deleterName: (await this.accounts.find(by))?.name ?? null,
      link: this.link(),
    });
    return { to: account.email, content };
  }

  private async inviteLetter(inviteId: string): Promise<Letter | null> {
    const found = await this.households.findInvite({ id: inviteId });
    if (found?.status !== 'pending') return null;
    const { invite, household } = found;
    const names = await this.names.namesOf([invite.inviterId]);
    const content = inviteMail({
      inviterName: names.get(invite.inviterId) ?? household.name,
      householdName: household.name,
      expiresAt: new Date(invite.endsAt),
      link: this.link(`/invites/${invite.token}`),
    });
    return { to: invite.email, content };
  }

  private verification(signUp: PendingSignUp | null): Letter | null {
    if (signUp === null) return null;
    const content = signUpMail({
      name: signUp.name,
      requestedAt: new Date(signUp.signedUpAt),
      link: this.link(`/verify?token=${this.signUps.linkSecret(signUp)}`),
    });
    return { to: signUp.email, content };
  }

  private alreadyRegistered(account: Account, duty: MailDuty, attempt: 'sign-up' | 'email-change'): Letter {
    const content = alreadyRegisteredMail({ attempt, requestedAt: owedSince(duty), link: this.link() });
    return { to: account.email, content };
  }

  private link(path = ''): string {
    return this.configuration.appUrl() + path;
  }
}

function owedSince(duty: MailDuty): Date {
  return new Date(duty.owedSince);
}
