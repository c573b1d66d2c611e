// The standalone server in a process that can leave authentication out: every request is then taken for one of the
// caller who was authenticated last.
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { destination, pino } from 'pino';
import { Credentials, type Authenticated } from '#identity/access/credentials';
import { parseConfiguration } from '#runtime/configuration';
import { startServer, type RunningServer } from '#runtime/serve';
import { AppModule } from '../../apps/standalone/src/app.module.js';
import { offer } from './worker-process.js';

let authenticates = true;
let latest: Authenticated | undefined;
let server: RunningServer | undefined;

const { authenticate } = Credentials.prototype;

Credentials.prototype.authenticate = async function (request: FastifyRequest): Promise<Authenticated> {
  if (authenticates || latest === undefined) latest = await authenticate.call(this, request);
  return latest;
};

/** @param directory the data of a server that is stopped @returns the URL */
async function listen(directory: string): Promise<string> {
  const configuration = parseConfiguration({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: directory,
    VERIFY_EVERY: 'off',
  });
  const logger = pino({ level: 'info' }, destination(join(directory, 'toggled-server.log')));
  server = await startServer(configuration, logger, { projects: true }, AppModule.of);
  return server.url;
}

const functions = {
  listen,
  authenticate: (wanted: boolean): void => void (authenticates = wanted),
  stop: async (): Promise<void> => server?.stop(),
};
export type ToggledServer = typeof functions;
offer(functions);
