import type { Configuration } from '../configuration.js';
import type { ReadableStores } from '../stores-for-reading.js';

export type { ReadableStores };

/**
 * Opens the stores that the configuration names, for looking only, and closes them in any case.
 *
 * The stores' clients are loaded here and not before, so that `--help` need not wait for them.
 * @throws ConfigurationError, DatabaseRefused, CommandFailed
 */
export async function whileReading<T>(
  work: (stores: ReadableStores, configuration: Configuration) => Promise<T>,
): Promise<T> {
  const [{ readConfiguration }, { operatorLog }, { openStoresForReading }] = await Promise.all([
    import('../configuration.js'),
    import('../log.js'),
    import('../stores-for-reading.js'),
  ]);
  const configuration = readConfiguration();
  const stores = await openStoresForReading(configuration, operatorLog(configuration.logLevel));
  try {
    return await work(stores, configuration);
  } finally {
    await stores.close();
  }
}
