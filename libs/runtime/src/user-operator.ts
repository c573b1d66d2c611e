import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  AdministrationRefused,
  type UserOutcome,
  type UserRequest,
} from '#identity/administration/user-administration';
import type { Configuration } from './configuration.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { refuseUnfinishedRestore, requireLedger } from './data-files.js';
import { startRuntime } from './ledger-runtime.js';
import { linesFrom, NO_RESPONSE, ServerUnresponsive } from './operator-client.js';
import { socketPath, USERS_PATH } from './operator-socket.js';
import { REACHED_MS_MAX } from './projections-operator.js';
import { hasEmbeddedStore } from './stores.js';

const POLL_MS = 200;

/**
 * Does something with a user: by the server that holds the data directory, or by this process.
 * @throws AdministrationRefused, ServerUnresponsive, ConfigurationError, DatabaseRefused, EventStoreUnavailable,
 *   DocumentsUnavailable
 */
export async function administerUser(
  configuration: Configuration,
  logger: Logger,
  request: UserRequest,
): Promise<UserOutcome> {
  const { dataDirectory } = configuration;
  if (hasEmbeddedStore(configuration)) {
    requireLedger(configuration);
    refuseUnfinishedRestore(dataDirectory);
    const lock = DataDirectoryLock.takeIfFree(dataDirectory);
    if (lock === null) return byServer(dataDirectory, request);
    // The stores take it again.
    lock.release();
  }
  const runtime = await startRuntime(configuration, logger, { projects: false });
  try {
    runtime.serverUrl = `http://${configuration.host}:${configuration.port}`;
    const missing = runtime.preparation.waitsFor();
    if (missing !== null) throw new AdministrationRefused(missing);
    return await runtime.identityWork.administration.carryOut(request);
  } finally {
    await runtime.stop();
  }
}

/** It may have just started, and not listen yet. */
async function byServer(dataDirectory: string, request: UserRequest): Promise<UserOutcome> {
  const { signal } = new AbortController();
  for (const deadline = performance.now() + REACHED_MS_MAX; performance.now() < deadline;) {
    for await (const line of linesFrom(socketPath(dataDirectory), USERS_PATH, request, signal)) {
      if ('refused' in line) throw new AdministrationRefused(line.refused);
      if ('user' in line) return line.user;
    }
    await pause(POLL_MS);
  }
  throw new ServerUnresponsive(NO_RESPONSE);
}
