import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Mails are sent after the answer; how long that may take, in milliseconds. */
const MAIL_MS_MAX = 120_000;
const POLL_MS = 10;

/**
 * Waits for a mail that leads somewhere.
 * @param outbox where mails become files
 * @returns the secret of the newest link of that kind that was mailed to the address
 * @throws Error when none comes
 */
export async function mailedToken(
  outbox: string,
  email: string,
  kind: 'verify' | 'reset',
  msMax: number = MAIL_MS_MAX,
): Promise<string> {
  const link = new RegExp(`/${kind}\\?token=([\\w.~-]+)`);
  for (const deadline = performance.now() + msMax; performance.now() < deadline; await pause(POLL_MS)) {
    const names = await readdir(outbox).catch(() => []);
    for (const name of names
      .filter(each => each.endsWith('.eml'))
      .sort()
      .reverse()) {
      const mail = await readFile(join(outbox, name), 'utf8');
      const token = mail.includes(email) ? link.exec(readable(mail))?.[1] : undefined;
      if (token !== undefined) return token;
    }
  }
  throw new Error(`no link to ${kind} was mailed to ${email} within ${msMax} ms`);
}

/** The text of a mail, its parts decoded as far as links need it. */
function readable(mail: string): string {
  const parts = mail
    .split(/\r?\n--/)
    .map(part =>
      /^content-transfer-encoding: quoted-printable/im.test(part)
        ? part.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
        : part,
    );
  return parts.join('\n');
}
