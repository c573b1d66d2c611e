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
import { reachServer } from './operator-client.js';
import { USERS_PATH } from './operator-socket.js';
import { hasEmbeddedStore } from './stores.js';

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
    const reached = await reachServer(dataDirectory, USERS_PATH, request);
    if ('refused' in reached) throw new AdministrationRefused(reached.refused);
    if ('user' in reached) return reached.user;
    // The stores take the lock again.
    if (reached instanceof DataDirectoryLock) reached.release();
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
