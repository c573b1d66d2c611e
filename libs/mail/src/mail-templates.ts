import { mailHtml, mailText, type Paragraph } from './mail-layout.js';

/** What a template makes; `id` and `to` make it a `MailMessage`. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly links: readonly string[];
}

/** The one thing to do. The link is a URL that the program made. */
interface Action {
  readonly label: string;
  readonly link: string;
}

interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly action: Action;
  readonly footnotes: readonly Paragraph[];
}

/** Names come from users: a template wraps them in this, so that the layout shows them as names and no more. */
export function named(name: string): { readonly name: string } {
  return { name };
}

const PRODUCT = 'Household Ledger';

/** Confirms an address. Several sign-ups may wait for one address, so it says which one this is. */
export function signUpMail(signUp: {
  readonly name: string;
  readonly requestedAt: Date;
  readonly link: string;
}): MailContent {
  return letter({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      [
        'Somebody signed up for ',
        PRODUCT,
        ' with this e-mail address, as ',
        named(signUp.name),
        ', on ',
        moment(signUp.requestedAt),
        '.',
      ],
      ['If that was you, confirm the address to open your account. The link works once, within 24 hours.'],
    ],
    action: { label: 'Confirm this address', link: signUp.link },
    footnotes: [
      [
        'If you did not sign up, or this is not the name that you gave, ignore this mail: ',
        'without the link no account is opened.',
      ],
    ],
  });
}

/** In place of a confirmation where the address has an account already. */
export function alreadyRegisteredMail(attempt: {
  readonly requestedAt: Date;
  /** Where one signs in. */
  readonly link: string;
}): MailContent {
  return letter({
    subject: 'You already have an account',
    paragraphs: [
      [
        'On ',
        moment(attempt.requestedAt),
        ' somebody signed up for ',
        PRODUCT,
        ' with this e-mail address, which already has an account. Nothing about the account was changed.',
      ],
      ['If that was you, sign in as before. If you forgot the password, ask for a new one there.'],
    ],
    action: { label: 'Sign in', link: attempt.link },
    footnotes: [['If it was not you, there is nothing to do.']],
  });
}

/** The way back in. */
export function passwordResetMail(request: {
  readonly requestedAt: Date;
  /** Personal access tokens that are valid, and stay so. */
  readonly accessTokens: number;
  readonly link: string;
}): MailContent {
  return letter({
    subject: 'Choose a new password',
    paragraphs: [
      [
        'On ',
        moment(request.requestedAt),
        ' somebody asked for a new password for the ',
        PRODUCT,
        ' account of this e-mail address.',
      ],
      [
        'If that was you, choose one now. The link works once, within 1 hour, and signs out every session of the account. ',
        keptTokensSentence(request.accessTokens),
      ],
    ],
    action: { label: 'Choose a new password', link: request.link },
    footnotes: [['If it was not you, ignore this mail: the password stays as it is.']],
  });
}

/** After the fact, so that a stranger's change is noticed. */
export function passwordChangedMail(change: {
  readonly changedAt: Date;
  /** `reset` by a mailed link, or `changed` by somebody who knew the old password. */
  readonly how: 'changed' | 'reset';
  /** Personal access tokens that are still valid. */
  readonly accessTokens: number;
  /** Where tokens are looked after. */
  readonly link: string;
}): MailContent {
  const sessions =
    change.how === 'reset' ? 'Every session was signed out.' : 'Every other session was signed out.';
  return letter({
    subject: change.how === 'reset' ? 'Your password was reset' : 'Your password was changed',
    paragraphs: [
      [
        'The password of the ',
        PRODUCT,
        ' account of this e-mail address was ',
        change.how,
        ' on ',
        moment(change.changedAt),
        '. ',
        sessions,
      ],
      [tokensSentence(change.accessTokens)],
    ],
    action: { label: 'Review your account', link: change.link },
    footnotes: [
      [
        'If it was not you, ask for a new password at once: whoever did this may be signed in to your account.',
      ],
    ],
  });
}

function keptTokensSentence(count: number): string {
  if (count === 0) return 'The account has no personal access tokens.';
  if (count === 1) return 'The account has 1 personal access token, which stays valid.';
  return `The account has ${count} personal access tokens, which stay valid.`;
}

function tokensSentence(count: number): string {
  if (count === 0) return 'The account has no personal access tokens.';
  const tokens = count === 1 ? '1 personal access token remains' : `${count} personal access tokens remain`;
  return `${tokens} valid. Revoke what you do not recognise.`;
}

/** Asks somebody to join a household. */
export function inviteMail(invite: {
  readonly inviterName: string;
  readonly householdName: string;
  readonly expiresAt: Date;
  readonly link: string;
}): MailContent {
  return letter({
    subject: 'An invitation to share a household budget',
    paragraphs: [
      [
        named(invite.inviterName),
        ' invites you to the household ',
        named(invite.householdName),
        ', to keep its budget together on ',
        PRODUCT,
        '.',
      ],
      ['The invitation is for this e-mail address and expires on ', moment(invite.expiresAt), '.'],
    ],
    action: { label: 'See the invitation', link: invite.link },
    footnotes: [['If you do not know who this is, ignore this mail.']],
  });
}

function letter({ subject, paragraphs, action, footnotes }: Letter): MailContent {
  if (!URL.canParse(action.link) || !/^https?:\/\/[\x21-\x7e]+$/.test(action.link)) {
    throw new RangeError('a link in a mail is an http or https URL');
  }
  const parts = { product: PRODUCT, subject, paragraphs, action, footnotes };
  return { subject, text: mailText(parts), html: mailHtml(parts), links: [action.link] };
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

function moment(at: Date): string {
  return `${MOMENT.format(at)} UTC`;
}
