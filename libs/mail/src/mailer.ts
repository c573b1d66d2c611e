import { domainToASCII } from 'node:url';

/** A message to one person. */
export interface MailMessage {
  /** Of the outbox message, so that a repetition has the same Message-ID: letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /** One address, no name. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  /** Lines separated by `\n`. */
  readonly text: string;
  readonly html: string;
  /** What the reader is to open; shown on the terminal by the outbox. */
  readonly links?: readonly string[];
}

const MAIL_ID_LENGTH_MAX = 120;
/** RFC 5321 §4.5.3.1.3 allows a path of 256 octets, two of which are the angle brackets. */
const ADDRESS_BYTES_MAX = 254;
const SUBJECT_LENGTH_MAX = 400;
const MAIL_BYTES_MAX = 256 * 1024;

/** Hands messages to a mail server or a folder. */
export abstract class Mailer {
  /**
   * Resolves when the message was handed over. If the process dies meanwhile, it may be sent twice.
   * @throws MailUnavailable if a retry may help, MailRefused if it will not
   */
  abstract send(message: MailMessage): Promise<void>;

  /** Finishes what is being sent, within bounds. */
  abstract close(): Promise<void>;
}

/** Mails cannot be sent now. The sentence names no credentials and no addressee. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
}

/** This message will never be accepted. The sentence names no credentials and no addressee. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** Read by the job queue: trying again cannot help. */
  readonly permanent = true;
}

/** Who the mails come from. */
export interface Mailbox {
  /** Empty for none. */
  readonly name: string;
  readonly address: string;
}

const ID = /^[A-Za-z0-9._-]+$/;
/** What breaks a header or a terminal: controls, line and paragraph separators. */
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;
/** The characters of a local part without quotes (RFC 5322 `dot-atom`, RFC 6531 for the ones beyond ASCII). */
const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+)*@[A-Za-z0-9\u{80}-\u{10ffff}-]+(?:\.[A-Za-z0-9\u{80}-\u{10ffff}-]+)*$/u;

/** Whether an address can stand in a header and an envelope. Quoted local parts and address literals cannot. */
export function isMailable(address: string): boolean {
  return (
    ADDRESS.test(address) &&
    !BREAKS_LINE.test(address) &&
    !/\p{Z}/u.test(address) &&
    Buffer.byteLength(address) <= ADDRESS_BYTES_MAX
  );
}

/**
 * The checks that every adapter makes, so that no text from a user can become a header or another addressee.
 * @throws MailRefused
 */
export function checkMessage({ id, to, subject, text, html }: MailMessage): void {
  if (!ID.test(id) || id.length > MAIL_ID_LENGTH_MAX) throw new MailRefused('the mail has no usable id');
  if (!isMailable(to)) throw new MailRefused('the address cannot get mail');
  if (BREAKS_LINE.test(subject)) throw new MailRefused('the subject is more than one line');
  if (subject.length > SUBJECT_LENGTH_MAX) throw new MailRefused('the subject is too long');
  if (Buffer.byteLength(text) + Buffer.byteLength(html) > MAIL_BYTES_MAX) {
    throw new MailRefused('the mail is too large');
  }
}

/** A domain in the letters of DNS. Characters that UTS 46 maps to commas or brackets would make other addressees. */
const DNS_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/**
 * An address as envelopes and headers have it: the domain in the letters of DNS, so that only a local part beyond
 * ASCII needs a server with SMTPUTF8. @throws MailRefused
 */
export function wireAddress(address: string): string {
  const domain = domainOf(address);
  if (domain === null) throw new MailRefused('the address has no usable domain');
  return `${address.slice(0, address.lastIndexOf('@'))}@${domain}`;
}

/** The domain of an address in the letters of DNS; null where DNS can have none such. */
function domainOf(address: string): string | null {
  const domain = domainToASCII(address.slice(address.lastIndexOf('@') + 1));
  return DNS_NAME.test(domain) ? domain : null;
}

/** Reads `address` or `Name <address>`, as `MAIL_FROM` has it. @throws RangeError */
export function parseMailbox(text: string): Mailbox {
  const match = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/.exec(text.trim());
  const name = (match?.groups?.['name'] ?? '').trim().replace(/^"(.*)"$/, '$1');
  const address = (match?.groups?.['address'] ?? text).trim();
  if (!isMailable(address) || domainOf(address) === null || BREAKS_LINE.test(text.trim())) {
    throw new RangeError('a sender is an address or Name <address>');
  }
  return { name, address };
}
