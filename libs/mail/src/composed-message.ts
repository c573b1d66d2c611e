import type { SendMailOptions } from 'nodemailer';
import { wireAddress, type MailMessage, type Mailbox } from './mailer.js';

const ASCII = /^[\t\n\x20-\x7e]*$/;
/** RFC 5322 §2.1.1: a line has at most 998 characters. */
const TOO_LONG_LINE = /.{999}/;

/** What nodemailer makes a message of, for a mail server as for a file. @throws MailRefused */
export function composedMessage(from: Mailbox, message: MailMessage, date: Date): SendMailOptions {
  const sender = wireAddress(from.address);
  return {
    from: { name: from.name, address: sender },
    to: { name: '', address: wireAddress(message.to) },
    subject: message.subject,
    date,
    // The same for every repetition of a message, so that a mailbox can tell.
    messageId: `<${message.id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    // RFC 3834: no out-of-office notes in answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: body('plain', message.text),
    html: body('html', message.html),
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Nodemailer encodes a text with lines of more than 76 characters, which would break links for simple readers. */
function body(subtype: string, text: string): SendMailOptions['text'] {
  if (!ASCII.test(text) || TOO_LONG_LINE.test(text)) return text;
  return {
    raw: `Content-Type: text/${subtype}; charset=utf-8\nContent-Transfer-Encoding: 7bit\n\n${text}`,
  };
}
