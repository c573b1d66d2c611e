import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { pino } from 'pino';
import { AppModule } from '../../apps/standalone/src/app.module.js';
import { parseConfiguration } from '#runtime/configuration';
import { startServer } from '#runtime/serve';
import { outboxIn } from '#runtime/data-files';
import { drawDatabase, dropDatabase, urlOfDatabase } from '#test-servers/databases';
import { dumpDatabase, storedBytes } from '../stored-bytes.js';
import { mailedToken } from '../mailed-token.js';
import type { ApiDocument } from './described.scenario.js';

/**
 * The whole service in this process, on the stores that the environment names, else on embedded ones. In MongoDB it
 * has a database of its own, and jobs stay with it: services of other tests run beside it and have other keys.
 */
export interface Service {
  /** Everything that the stores hold, but for the log of an EventStoreDB, as text. */
  storedBytes(): Promise<string>;
  /** Where its embedded stores are. */
  readonly directory: string;
  /** Without a slash at its end. */
  readonly origin: string;
  /** What the service says of itself at `/openapi.json`. */
  readonly description: ApiDocument;
  /** What the service is made of, for a test that shortens a time. */
  readonly app: INestApplication;
  /** The secret of the newest link of a kind that was mailed to an address. */
  mailedToken(email: string, kind: 'verify' | 'reset'): Promise<string>;
  /** May be called again: the service is stopped once. */
  stop(): Promise<void>;
}

/** @param settings over those of every test */
export async function startService(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
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
    TRUST_PROXY: 'loopback',
    SECRET_KEY: randomBytes(32).toString('base64'),
    ...settings,
  });
  const logger = pino({ level: configuration.logLevel ?? LOG_LEVEL, base: null });
  const server = await startServer(configuration, logger, { projects: true, answersApi: true }, AppModule.of);
  const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument;
  return {
    directory,
    storedBytes: async () => {
      const files = await storedBytes(directory);
      return MONGODB_URL === undefined ? files : files + (await dumpDatabase(MONGODB_URL));
    },
    origin: server.url,
    description,
    app: server.app,
    mailedToken: (email, kind) => mailedToken(outboxIn(directory), email, kind),
    async stop() {
      await server.stop();
      if (MONGODB_URL !== undefined) await dropDatabase(MONGODB_URL);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
