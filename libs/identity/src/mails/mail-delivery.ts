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
import { Accounts, UserNames } from '../accounts/accounts.js';
import type { Account } from '../accounts/account-records.js';
import { foldEmail } from '../accounts/email-address.js';
import { EmailChanges } from '../accounts/email-changes.js';
import { PasswordResets } from '../accounts/password-resets.js';
import { SignUps } from '../accounts/sign-up-records.js';
import { Households } from '../households/households.js';
import { IdentityConfiguration } from '../surroundings.js';
import { Tokens } from '../tokens/tokens.js';
import { OutboxMessages, type OutboxMessage, type MailErrand } from './outbox-messages.js';

/** The most mails that are remembered as sent while the store cannot record it. */
const SENT_MAX = 10_000;

interface Letter {
  readonly to: string;
  readonly content: MailContent;
}

type ErrandOf<K extends MailErrand['kind']> = Extract<MailErrand, { kind: K }>;

/** Composes and sends outbox messages. Secrets of links are made only here; addresses are looked up after the response. */
@Injectable()
export class MailDelivery {
  /** Messages that were sent and could not be removed from the outbox yet. */
  private readonly sent = new Set<string>();

  constructor(
    private readonly outbox: OutboxMessages,
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
   * Sends an outbox message, if it still exists: one mail, which this process sends once, however often it is called.
   * @throws MailUnavailable, MailRefused, DocumentsUnavailable; the message then stays in the outbox, unless a retry
   *   cannot help
   */
  async deliver(messageId: string): Promise<void> {
    if (!this.sent.has(messageId)) await this.send(messageId);
    await this.outbox.done(messageId);
    this.sent.delete(messageId);
  }

  private async send(messageId: string): Promise<void> {
    const message = await this.outbox.find(messageId);
    const letter = message && (await this.letterFor(message));
    if (letter === null) return;
    try {
      await this.mailer.send({ id: messageId, to: letter.to, ...letter.content });
    } catch (error) {
      if (isPermanent(error)) await this.outbox.done(messageId);
      throw error;
    }
    if (this.sent.size >= SENT_MAX) this.sent.clear();
    this.sent.add(messageId);
  }

  /** The mail of an outbox message; null if it has no recipient, or has become pointless. */
  private async letterFor({ key, errand, owedSince }: OutboxMessage): Promise<Letter | null> {
    const at = new Date(owedSince);
    switch (errand.kind) {
      case 'sign-up':
      case 'resend':
        return this.signUpLetter(errand, key, at);
      case 'reset':
        return this.resetLetter(errand.email, key, at);
      case 'password-changed':
        return this.passwordChangedLetter(errand, at);
      case 'email-change':
        return this.emailChangeLetter(errand, at);
      case 'email-change-note': {
        const content = emailChangeNoteMail({ requestedAt: at, link: this.link('/forgot') });
        return { to: errand.email, content };
      }
      case 'household-deleted':
        return this.householdDeletedLetter(errand, at);
      case 'invite':
        return this.inviteLetter(errand.inviteId);
    }
  }

  /** The link. If the address has an account, its owner hears of that instead. */
  private async signUpLetter(
    errand: ErrandOf<'sign-up' | 'resend'>,
    messageId: string,
    at: Date,
  ): Promise<Letter | null> {
    const account = await this.accounts.findByEmail(errand.email);
    if (account !== null) return this.alreadyRegistered(account, 'sign-up', at);
    const mailbox = foldEmail(errand.email);
    const signUp = await (errand.kind === 'sign-up'
      ? this.signUps.toBeMailed(mailbox, errand.signUpId)
      : this.signUps.renewLink(mailbox, messageId));
    if (signUp === null) return null;
    const { name, email, signedUpAt } = signUp;
    const link = this.link(`/verify?token=${this.signUps.linkSecret(signUp)}`);
    return { to: email, content: signUpMail({ name, requestedAt: new Date(signedUpAt), link }) };
  }

  private async resetLetter(email: string, messageId: string, requestedAt: Date): Promise<Letter | null> {
    const account = await this.accounts.findByEmail(email);
    if (account === null || account.disabled === true) return null;
    const [secret, accessTokens] = await Promise.all([
      this.resets.make(account, messageId, requestedAt.getTime()),
      this.tokens.countValid(account.key),
    ]);
    const link = this.link(`/reset?token=${secret}`);
    return { to: account.email, content: passwordResetMail({ requestedAt, accessTokens, link }) };
  }

  private async passwordChangedLetter(
    { userId, how }: ErrandOf<'password-changed'>,
    changedAt: Date,
  ): Promise<Letter | null> {
    const account = await this.accounts.find(userId);
    if (account === null) return null;
    const accessTokens = await this.tokens.countValid(userId);
    const content = passwordChangedMail({ changedAt, how, accessTokens, link: this.link() });
    return { to: account.email, content };
  }

  /** The link. If the address has another account, its owner hears of that: the link would be refused. */
  private async emailChangeLetter(
    { userId, changeId }: ErrandOf<'email-change'>,
    requestedAt: Date,
  ): Promise<Letter | null> {
    const change = (await this.accounts.find(userId))?.emailChange;
    if (change?.id !== changeId) return null;
    const holder = await this.accounts.findByEmail(change.email);
    if (holder !== null && holder.key !== userId) {
      return this.alreadyRegistered(holder, 'email-change', requestedAt);
    }
    const link = this.link(`/confirm-email?token=${this.emailChanges.linkSecret(changeId)}`);
    return { to: change.email, content: emailChangeMail({ requestedAt, link }) };
  }

  private async householdDeletedLetter(
    { userId, householdName, by }: ErrandOf<'household-deleted'>,
    deletedAt: Date,
  ): Promise<Letter | null> {
    const account = await this.accounts.find(userId);
    if (account === null) return null;
    const deleterName = (await this.accounts.find(by))?.name ?? null;
    const content = householdDeletedMail({ deletedAt, householdName, deleterName, link: this.link() });
    return { to: account.email, content };
  }

  private async inviteLetter(inviteId: string): Promise<Letter | null> {
    const found = await this.households.findInvite('id', inviteId);
    const household = found && (await this.households.find(found.householdId));
    if (found?.status !== 'pending' || !household) return null;
    const { inviterId, endsAt, token, email } = found.invite;
    const names = await this.names.namesOf([inviterId]);
    const content = inviteMail({
      inviterName: names.get(inviterId) ?? household.name,
      householdName: household.name,
      expiresAt: new Date(endsAt),
      link: this.link(`/invites/${token}`),
    });
    return { to: email, content };
  }

  private alreadyRegistered(
    { email }: Account,
    attempt: 'sign-up' | 'email-change',
    requestedAt: Date,
  ): Letter {
    return { to: email, content: alreadyRegisteredMail({ attempt, requestedAt, link: this.link() }) };
  }

  private link(path = ''): string {
    return this.configuration.appUrl() + path;
  }
}
