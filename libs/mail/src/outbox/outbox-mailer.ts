import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { composedMessage } from '../composed-message.js';
import { MailUnavailable, Mailer, checkMessage, type MailMessage, type Mailbox } from '../mailer.js';

/** The most messages that the folder keeps; the oldest go first. */
const OUTBOX_FILES_MAX = 5_000;
/** The longest that a message is kept. */
export const OUTBOX_MS_MAX = 30 * 24 * 3_600_000;
/** The sender where none is configured: a reserved name (RFC 6761). */
const OUTBOX_SENDER: Mailbox = { name: 'Household Ledger', address: 'ledger@household-ledger.invalid' };

/** Sends nothing: it returns what a mail server would get. */
const COMPOSER = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** The part of standard output that is used here. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface OutboxMailerOptions {
  /** Made where it is missing. */
  readonly directory: string;
  readonly from?: Mailbox;
  /** Where links are shown if it is a terminal; standard output when absent. */
  readonly terminal?: Terminal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly filesMax?: number;
}

/** `2026-01-31T12-00-00.000Z-0001-ID.eml` */
const FILE = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3}Z)-\d{4,}-(.+)\.eml$/;
const UNFINISHED = /^\.(.+)\.tmp$/;
/** A file that is unfinished after this long was left by a process that died. */
const UNFINISHED_MS_MAX = 60_000;

/**
 * Mails as files in a folder, for a machine without a mail server. A file is there wholly or not at all, readable by its
 * owner only, since its link is a key. A message that is there already is not written again.
 */
export class OutboxMailer extends Mailer {
  private readonly options: Required<OutboxMailerOptions>;
  private lastAt = 0;
  private sequence = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(options: OutboxMailerOptions) {
    super();
    this.options = {
      from: OUTBOX_SENDER,
      terminal: process.stdout,
      now: Date.now,
      filesMax: OUTBOX_FILES_MAX,
      ...options,
    };
  }

  /** One after the other, so that names are in the order of sending and no two writers tidy up at once. */
  send(message: MailMessage): Promise<void> {
    const sent = this.last.then(() => this.put(message));
    this.last = sent.catch(() => undefined);
    return sent;
  }

  async close(): Promise<void> {
    await this.last;
  }

  private async put(message: MailMessage): Promise<void> {
    checkMessage(message);
    const { directory } = this.options;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const names = await readdir(directory);
      if (names.some(name => FILE.exec(name)?.[5] === message.id)) return;
      await this.tidy(names);
      await this.write(message);
    } catch (error) {
      throw unwritable(error);
    }
    this.show(message);
  }

  private async write(message: MailMessage): Promise<void> {
    const { directory, from, now } = this.options;
    const at = Math.max(now(), this.lastAt);
    this.sequence = at === this.lastAt ? this.sequence + 1 : 1;
    this.lastAt = at;
    const time = new Date(at);
    const stamp = time.toISOString().replaceAll(':', '-');
    const name = `${stamp}-${String(this.sequence).padStart(4, '0')}-${message.id}.eml`;
    const unfinished = join(directory, `.${name}.tmp`);
    const { message: mail } = await COMPOSER.sendMail(composedMessage(from, message, time));
    await writeFile(unfinished, mail, { mode: 0o600, flush: true });
    await rename(unfinished, join(directory, name));
  }

  /** Makes room for one more, and removes what is too old or was never finished. */
  private async tidy(names: readonly string[]): Promise<void> {
    const { directory, filesMax } = this.options;
    const mails = names.filter(name => FILE.test(name)).sort();
    const surplus = mails.slice(0, Math.max(0, mails.length + 1 - filesMax));
    const now = this.options.now();
    const expired = mails.slice(surplus.length).filter(name => writtenAt(name) < now - OUTBOX_MS_MAX);
    const unfinished = names.filter(
      name => writtenAt(UNFINISHED.exec(name)?.[1] ?? '') < now - UNFINISHED_MS_MAX,
    );
    for (const name of [...surplus, ...expired, ...unfinished]) {
      await rm(join(directory, name), { force: true });
    }
  }

  private show({ to, subject, links = [] }: MailMessage): void {
    const { terminal } = this.options;
    if (terminal.isTTY !== true) return;
    const lines = [`Mail to ${to}: ${subject}`, ...links.map(link => `  ${link}`)];
    // Formatting characters could make a terminal show another text than it is.
    terminal.write(`${lines.map(line => line.replace(/[\p{Cc}\p{Cf}]/gu, '')).join('\n')}\n`);
  }
}

/** Milliseconds since the epoch, or NaN where the name is none of ours. */
function writtenAt(name: string): number {
  const [, day = '', hours = '', minutes = '', seconds = ''] = FILE.exec(name) ?? [];
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}`);
}

function unwritable(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new MailUnavailable(`the outbox folder cannot be written (${String(error.code)})`);
}
