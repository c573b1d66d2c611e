import { ReadModelsReplaced } from '#engine/verify/verify-ledger';
import type { ReadModels } from '#engine/households/read-models';
import { CommandFailed } from './failures.js';
import type { Terminal } from './output/terminal.js';
import { type ReadableStores } from './reading.js';

/** A rebuild takes longer than a verification, so that further ones are hardly met. */
export const VERIFICATIONS_MAX = 5;

/**
 * Verifies the active read models. If another version becomes active meanwhile, it starts over with that one.
 * @param verify throws `ReadModelsReplaced`
 * @throws CommandFailed where that is so each time, and what `verify` throws besides
 */
export async function verifyLive<T>(
  stores: Pick<ReadableStores, 'models' | 'activeModels'>,
  terminal: Pick<Terminal, 'remark'>,
  verify: (models: ReadModels) => Promise<T>,
): Promise<T> {
  let { models } = stores;
  for (let count = 1; ; count++) {
    try {
      return await verify(models);
    } catch (error) {
      if (!(error instanceof ReadModelsReplaced)) throw error;
    }
    if (count === VERIFICATIONS_MAX) {
      throw new CommandFailed(
        `The read models were replaced ${count} times during verification. Try again when no rebuild is running.`,
      );
    }
    terminal.remark('The read models were replaced during verification. Starting over.');
    models = await stores.activeModels();
  }
}
