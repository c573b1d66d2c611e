// The standalone server in a process that can leave authentication out: every request is then taken for one of the
// caller who was authenticated last.
import { join } from 'node:path';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { destination, pino } from 'pino';
import { AuthenticationGuard } from '#identity/access/guards';
import type { Caller } from '#identity/access/caller';
import { parseConfiguration } from '#runtime/configuration';
import { startServer, type RunningServer } from '#runtime/serve';
import { AppModule } from '../../apps/standalone/src/app.module.js';
import { offer } from './worker-process.js';

let authenticates = true;
let caller: Caller | undefined;
let server: RunningServer | undefined;

const { canActivate } = AuthenticationGuard.prototype;

AuthenticationGuard.prototype.canActivate = async function (context: ExecutionContext): Promise<boolean> {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  if (!authenticates && caller !== undefined) {
    request.caller = caller;
    return true;
  }
  const isAdmitted = await canActivate.call(this, context);
  caller = request.caller;
  return isAdmitted;
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
