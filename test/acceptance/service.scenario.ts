import { randomBytes } from 'node:crypto';

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { AppModule } from '../../apps/standalone/src/app.module.js';
import { dropDatabase, drawDatabase, urlOfDatabase } from '#documents/mongodb/real-server';
import { parseConfiguration } from '#runtime/configuration';
import { startServer } from '#runtime/serve';
import { outboxIn } from '#runtime/stores';
import type { ApiDocument } from './described.scenario.js';

/** How long a mail may take to arrive, in milliseconds. */
const MAIL_WAIT_MS = 10_000;

/**
 * The whole service in this process, on the stores that the environment names, else on embedded ones. In MongoDB it
 * has a database of its own, and jobs stay with it: services of other tests run beside it and have other keys.
 */
export interface Service {
  /** Without a slash at its end. */
  readonly origin: string;
  /** What the service says of itself at `/openapi.json`. */
  readonly description: ApiDocument;
  /** The secret of the newest link of a kind that was mailed to an address. */
  mailedToken(email: string, kind: 'verify' | 'reset'): Promise<string>;
  stop(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const { EVENTSTORE_URL, MONGODB_URL: givenUrl, LOG_LEVEL = 'silent' } = process.env;
  const MONGODB_URL = givenUrl ? urlOfDatabase(givenUrl, drawDatabase()) : undefined;
  const directory = await mkdtemp(join(tmpdir(), 'ledger-acceptance-'));
  const configuration = parseConfiguration({
    EVENTSTORE_URL,
    MONGODB_URL,
    LOG_LEVEL,
    DATA_DIR: directory,
    HOST: '127.0.0.1',
    PORT: '0',
    ALLOWED_EMAILS: '*',
    SECRET_KEY: randomBytes(32).toString('base64'),
  });
  const logger = pino({ level: configuration.logLevel, base: null });
  const server = await startServer(configuration, logger, { projects: true }, AppModule.of);
  const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument;
  return {
    origin: server.url,
    description,
    mailedToken: (email, kind) => mailedToken(outboxIn(directory), email, kind),
    async stop() {
      await server.stop();
      if (MONGODB_URL !== undefined) await dropDatabase(MONGODB_URL);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Mails are sent after the answer, so this waits for one. */
async function mailedToken(outbox: string, email: string, kind: string): Promise<string> {
  const link = new RegExp(`/${kind}\\?token=([\\w.~-]+)`);
  for (const deadline = Date.now() + MAIL_WAIT_MS; Date.now() < deadline; await pause(10)) {
    const names = await readdir(outbox).catch(() => []);
    const mails = names.filter(name => name.endsWith('.eml')).sort();
    for (const name of mails.reverse()) {
      const mail = await readFile(join(outbox, name), 'utf8');
      const token = mail.includes(email) ? link.exec(readable(mail))?.[1] : undefined;
      if (token !== undefined) return token;
    }
  }
  throw new Error(`no mail to ${email} came within ${MAIL_WAIT_MS} ms`);
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
