import { createTransport, type Transporter } from 'nodemailer';
import { composedMessage } from '../composed-message.js';
import {
  MailRefused,
  MailUnavailable,
  Mailer,
  checkMessage,
  type MailMessage,
  type Mailbox,
} from '../mailer.js';

/** For sending one message, however slow the server is. */
const SEND_MS_MAX = 60_000;
/** For the connection, including the look-up of the name and TLS. */
export const CONNECT_MS_MAX = 10_000;
/** For the server's greeting. */
const GREETING_MS_MAX = 10_000;
/** Between two responses of the server. */
export const SILENT_MS_MAX = 30_000;
/** How long `close` waits for messages that are being sent; the job queue has waited before. */
export const CLOSE_MS_MAX = 1_000;
export const CONNECTIONS_MAX = 3;
/** How many messages a connection carries before it is replaced. */
const MESSAGES_PER_CONNECTION_MAX = 100;

export interface SmtpMailerOptions {
  /** `smtp://` (STARTTLS where the server offers it) or `smtps://`, `[user:password@]host[:port]`. */
  readonly url: string;
  readonly from: Mailbox;
  /** The bounds above, shorter for tests. */
  readonly sendMs?: number;
  readonly connectMs?: number;
  readonly greetingMs?: number;
  readonly silentMs?: number;
}

interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  /** STARTTLS or nothing: a password goes in clear text to the machine itself at most. */
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** An invalid `SMTP_URL`; the message does not repeat it. */
export class SmtpUrlError extends Error {
  override readonly name = 'SmtpUrlError';
}

/** @throws SmtpUrlError that does not repeat the address */
export function parseSmtpUrl(url: string): SmtpServer {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const defaultPort = DEFAULT_PORTS[parsed?.protocol ?? ''];
  if (parsed === undefined || defaultPort === undefined || parsed.hostname === '') {
    throw new SmtpUrlError('SMTP_URL must be smtp://host:port or smtps://host:port.');
  }
  const server = {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: parsed.port === '' ? defaultPort : Number(parsed.port),
    secure: parsed.protocol === 'smtps:',
  };
  if (parsed.username === '') return { ...server, requireTLS: false };
  const auth = { user: decoded(parsed.username), pass: decoded(parsed.password) };
  return { ...server, requireTLS: !server.secure && !LOOPBACK.test(server.host), auth };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new SmtpUrlError(
      'SMTP_URL has a user or password with characters that must be percent-encoded (such as % @ : / ? #).',
    );
  }
}

/** Mails by a mail server. */
export class SmtpMailer extends Mailer {
  private readonly transport: Transporter;
  private readonly from: Mailbox;
  private readonly sendMs: number;
  private readonly sending = new Set<Promise<void>>();

  /** Connects with the first message. @throws SmtpUrlError */
  constructor({ url, from, sendMs, connectMs, greetingMs, silentMs }: SmtpMailerOptions) {
    super();
    const server = parseSmtpUrl(url);
    this.from = from;
    this.sendMs = sendMs ?? SEND_MS_MAX;
    this.transport = createTransport({
      ...server,
      pool: true,
      maxConnections: CONNECTIONS_MAX,
      maxMessages: MESSAGES_PER_CONNECTION_MAX,
      // The job queue tries again, with longer pauses.
      maxRequeues: 1,
      connectionTimeout: connectMs ?? CONNECT_MS_MAX,
      dnsTimeout: connectMs ?? CONNECT_MS_MAX,
      greetingTimeout: greetingMs ?? GREETING_MS_MAX,
      socketTimeout: silentMs ?? SILENT_MS_MAX,
      logger: false,
    });
    // Errors of idle connections; those of messages reject `send`.
    this.transport.on('error', () => undefined);
  }

  /** Over one of `CONNECTIONS_MAX` connections. Callers bound how many they send at once. @throws MailUnavailable */
  async send(message: MailMessage): Promise<void> {
    checkMessage(message);
    const sent = this.deliver(message).finally(() => this.sending.delete(sent));
    this.sending.add(sent);
    return sent;
  }

  async close(): Promise<void> {
    // Messages under way go on; then the rest is cut, and rejected.
    this.transport.close();
    const giveUp = setTimeout(() => this.transport.close({ force: true }), CLOSE_MS_MAX);
    await Promise.allSettled(this.sending);
    clearTimeout(giveUp);
  }

  private async deliver(message: MailMessage): Promise<void> {
    try {
      const mail = composedMessage(this.from, message, new Date());
      await this.transport.sendMail({ ...mail, signal: AbortSignal.timeout(this.sendMs) });
    } catch (error) {
      throw translated(error);
    }
  }
}

/**
 * What a server has against its client or the sender, Postfix says in answer to the addressee (RFC 3463: 5.7 is about
 * rights, 5.5 about the conversation, 5.1.7 and 5.1.8 about the sender).
 */
const AGAINST_CLIENT_OR_SENDER = /^\d{3}[ -]5\.(?:7\.\d+|5\.\d+|1\.[78])\b/;
/** RFC 5321 §4.2.1: 5yz is final, but 503 only tells of a confused session, and 530 of a client without rights. */
const NEVER_FINAL = new Set([503, 530]);

/** Whether a response is final for the addressee or the message. */
function isFinal(command: string | undefined, responseCode: number, response = ''): boolean {
  if (responseCode < 500 || NEVER_FINAL.has(responseCode)) return false;
  if (command === 'RCPT TO') return !AGAINST_CLIENT_OR_SENDER.test(response);
  return command === 'DATA';
}

const ANSWER_LENGTH_MAX = 200;
/** Addresses, links, and words as long as a link's secret. */
const NOT_TO_BE_TOLD = /\S+@\S+|\S*:\/\/\S*|\S*token=\S*|\S*[\w-]{30}\S*/g;
/** Node's codes for a certificate with an unknown issuer, another name, or past its expiry. */
const ABOUT_CERTIFICATE = /certificate/i;

/**
 * A server that refuses the login or the sender has to be set right by the operator, after which the message
 * goes out: only what it says of the addressee or the message itself is final.
 */
function translated(error: unknown): Error {
  if (error instanceof MailRefused) return error;
  if (!(error instanceof Error)) return new MailUnavailable('the mail server failed');
  const { code, command, responseCode, response } = error as Error & {
    readonly code?: string;
    readonly command?: string;
    readonly responseCode?: number;
    readonly response?: string;
  };
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return new MailUnavailable(`the mail server rejected the credentials (${responseCode ?? code})`);
  }
  if (responseCode !== undefined) {
    const sentence = `the mail server responded: ${fitToBeTold(response ?? String(responseCode))}`;
    return isFinal(command, responseCode, response)
      ? new MailRefused(sentence)
      : new MailUnavailable(sentence);
  }
  if (ABOUT_CERTIFICATE.test(error.message)) {
    return new MailUnavailable(`the certificate of the mail server is not trusted (${error.message})`);
  }
  if (code === 'EABORT' || code === 'ETIMEDOUT')
    return new MailUnavailable('the mail server did not respond in time');
  return new MailUnavailable(`the mail server cannot be reached (${code ?? error.name})`);
}

/** Servers quote addresses, and filters what they have against a text: the link, with which anybody could go in. */
function fitToBeTold(answer: string): string {
  return answer
    .replace(NOT_TO_BE_TOLD, '…')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, ANSWER_LENGTH_MAX);
}
