import {
  AdministrationRefused,
  type UserOutcome,
  type UserRequest,
} from '#identity/administration/user-administration';
import { readConfiguration } from './configuration.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { refuseUnfinishedRestore, requireLedger } from './data-files.js';
import { startRuntime } from './ledger-runtime.js';
import { operatorLog } from './log.js';
import { reachServer, USERS_PATH } from './operator-socket.js';
import { hasEmbeddedStore } from './stores.js';

/**
 * Does something with a user: by the server that holds the data directory, or by this process.
 * @throws AdministrationRefused, NotDoneByServer, ConfigurationError, and what stores throw
 */
export async function administerUser(request: UserRequest): Promise<UserOutcome> {
  const configuration = readConfiguration();
  const { dataDirectory, host, port } = configuration;
  if (hasEmbeddedStore(configuration)) {
    requireLedger(configuration);
    refuseUnfinishedRestore(dataDirectory);
    const reached = await reachServer(dataDirectory, USERS_PATH, request);
    if (!(reached instanceof DataDirectoryLock)) return reached;
    // The stores take the lock again.
    reached.release();
  }
  const runtime = await startRuntime(configuration, operatorLog(configuration.logLevel), { projects: false });
  try {
    runtime.serverUrl = `http://${host}:${port}`;
    const missing = runtime.preparation.waitsFor();
    if (missing !== null) throw new AdministrationRefused(missing);
    return await runtime.identityWork.administration.carryOut(request);
  } finally {
    await runtime.stop();
  }
}
