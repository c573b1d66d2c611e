import type { MailMessage } from './mailer.js';
import { mailHtml, mailText, PRODUCT, type Letter, type Paragraph } from './mail-layout.js';

/** What a template makes. */
export type MailContent = Omit<MailMessage, 'id' | 'to'>;

/** A request that somebody made, and where the mail leads. */
interface Requested {
  readonly requestedAt: Date;
  readonly link: string;
}

/** Names come from users: a template wraps them in this, so that the layout shows them as names and no more. */
function named(name: string): { readonly name: string } {
  return { name };
}

/** A paragraph. Line breaks of the source are spaces. */
function paragraph(texts: TemplateStringsArray, ...pieces: Paragraph): Paragraph {
  return texts.flatMap((text, at) => [text.replace(/\s+/g, ' '), ...pieces.slice(at, at + 1)]);
}

/** Confirms an address. Several sign-ups may wait for one address, so it says which one this is. */
export function signUpMail(signUp: Requested & { readonly name: string }): MailContent {
  return letter({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      paragraph`Welcome to ${PRODUCT}! You signed up as ${named(signUp.name)} on ${moment(signUp.requestedAt)}.`,
      paragraph`Confirm your address to open your account. The link works once, within 24 hours.`,
    ],
    action: { label: 'Confirm this address', link: signUp.link },
    footnotes: [
      paragraph`If you did not sign up, or this is not the name you gave, ignore this mail.
        Without the link, no account is opened.`,
    ],
  });
}

/**
 * Sent instead of a confirmation if the address already has an account.
 * @param request `attempt`: what somebody wanted with the address; `link`: where one signs in
 */
export function alreadyRegisteredMail(
  request: Requested & { readonly attempt: 'sign-up' | 'email-change' },
): MailContent {
  const attempt =
    request.attempt === 'sign-up' ? `signed up for ${PRODUCT}` : `asked to use another ${PRODUCT} account`;
  return letter({
    subject: 'You already have an account',
    paragraphs: [
      paragraph`On ${moment(request.requestedAt)}, somebody ${attempt} with this e-mail address.
        You already have an account, and it has not changed.`,
      paragraph`If it was you, just sign in. You can also choose a new password there.`,
    ],
    action: { label: 'Sign in', link: request.link },
    footnotes: [paragraph`If it was not you, you can ignore this mail.`],
  });
}

/** Confirms the new address of an account. */
export function emailChangeMail(request: Requested): MailContent {
  return letter({
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      paragraph`On ${moment(request.requestedAt)}, somebody asked to use this e-mail address for their ${PRODUCT} account.`,
      paragraph`If it was you, confirm it. The link works once, within 24 hours. You then sign in with this address.`,
    ],
    action: { label: 'Confirm this address', link: request.link },
    footnotes: [paragraph`If it was not you, ignore this mail. Without the link, nothing changes.`],
  });
}

/**
 * To the former address, so that a stranger's request is noticed while it can be stopped.
 * @param request `link`: where one asks for a new password
 */
export function emailChangeNoteMail(request: Requested): MailContent {
  return letter({
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      paragraph`On ${moment(request.requestedAt)}, somebody who knows your password asked for another e-mail address
        for your ${PRODUCT} account. We mailed a link to the new address. Opening it within 24 hours makes the change.`,
      paragraph`If it was not you, choose a new password now. That makes the link invalid and signs out every session.
        Ending all sessions, or requesting another change, makes the link invalid as well.`,
    ],
    action: { label: 'Choose a new password', link: request.link },
    footnotes: [paragraph`If it was you, you can ignore this mail.`],
  });
}

/**
 * For a user who has forgotten the password.
 * @param request `accessTokens`: the personal access tokens that are valid, and stay so
 */
export function passwordResetMail(request: Requested & { readonly accessTokens: number }): MailContent {
  return letter({
    subject: 'Choose a new password',
    paragraphs: [
      paragraph`On ${moment(request.requestedAt)}, somebody asked for a new password for your ${PRODUCT} account.`,
      paragraph`If it was you, choose one now. The link works once, within 1 hour. Every session is then signed out.`,
      ...tokensParagraph(request.accessTokens),
    ],
    action: { label: 'Choose a new password', link: request.link },
    footnotes: [paragraph`If it was not you, ignore this mail. Your password stays the same.`],
  });
}

/** Sent after the change, so that a stranger's change is noticed. */
export function passwordChangedMail(change: {
  readonly changedAt: Date;
  /** `reset` by a mailed link, or `changed` by somebody who knew the old password. */
  readonly how: 'changed' | 'reset';
  /** Personal access tokens that are still valid. */
  readonly accessTokens: number;
  /** Where tokens are managed. */
  readonly link: string;
}): MailContent {
  const sessions =
    change.how === 'reset' ? 'Every session was signed out.' : 'Every other session was signed out.';
  return letter({
    subject: change.how === 'reset' ? 'Your password was reset' : 'Your password was changed',
    paragraphs: [
      paragraph`Your ${PRODUCT} password was ${change.how} on ${moment(change.changedAt)}. ${sessions}`,
      ...tokensParagraph(change.accessTokens),
    ],
    action: { label: 'Review your account', link: change.link },
    footnotes: [
      paragraph`If it was not you, ask for a new password at once. Somebody else may be signed in to your account.`,
    ],
  });
}

/** Most people have no personal access tokens, and need not read about them. */
function tokensParagraph(count: number): Paragraph[] {
  if (count === 0) return [];
  const tokens = count === 1 ? 'personal access token stays' : `${count} personal access tokens stay`;
  return [paragraph`Your ${tokens} valid. Revoke any that you do not recognise.`];
}

/** Invites a person to a household. */
export function inviteMail(invite: {
  readonly inviterName: string;
  readonly householdName: string;
  readonly expiresAt: Date;
  readonly link: string;
}): MailContent {
  return letter({
    subject: 'An invitation to share a household budget',
    paragraphs: [
      paragraph`${named(invite.inviterName)} invites you to share the budget of the household
        ${named(invite.householdName)} on ${PRODUCT}.`,
      paragraph`The invitation is for this e-mail address and expires on ${moment(invite.expiresAt)}.`,
    ],
    action: { label: 'View the invitation', link: invite.link },
    footnotes: [paragraph`If you do not know this person, ignore this mail.`],
  });
}

/** Sent after the household and its budget are gone. */
export function householdDeletedMail(deletion: {
  readonly deletedAt: Date;
  readonly householdName: string;
  /** Null if an operator did it. */
  readonly deleterName: string | null;
  readonly link: string;
}): MailContent {
  const deleter = deletion.deleterName === null ? `The operator of ${PRODUCT}` : named(deletion.deleterName);
  return letter({
    subject: 'A household was deleted',
    paragraphs: [
      paragraph`${deleter} deleted the household ${named(deletion.householdName)} on ${moment(deletion.deletedAt)}.`,
      paragraph`Its budget, its transactions and its history are gone for good.
        Your account and your other households stay.`,
    ],
    action: { label: 'View your households', link: deletion.link },
    footnotes: [paragraph`If this surprises you, ask the person who deleted it.`],
  });
}

function letter(content: Letter): MailContent {
  const { link } = content.action;
  if (!URL.canParse(link) || !/^https?:\/\/[\x21-\x7e]+$/.test(link)) {
    throw new RangeError('a link in a mail is an http or https URL');
  }
  return { subject: content.subject, text: mailText(content), html: mailHtml(content), links: [link] };
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function moment(at: Date): string {
  return `${MOMENT.format(at)} UTC`;
}
