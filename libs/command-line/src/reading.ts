import type { Configuration } from '#runtime/configuration';
import type { ReadableStores } from '#runtime/stores-for-reading';

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
    import('#runtime/configuration'),
    import('#runtime/log'),
    import('#runtime/stores-for-reading'),
  ]);
  const configuration = readConfiguration();
  const stores = await openStoresForReading(configuration, operatorLog(configuration.logLevel));
  try {
    return await work(stores, configuration);
  } finally {
    await stores.close();
  }
}
