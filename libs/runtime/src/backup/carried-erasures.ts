import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Erasures, type Erasure } from '#storage/documents/erasures';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';

/**
 * What was erased in a data directory; null where it holds a ledger that cannot be read any more.
 * @param directory in which no server works
 */
export async function erasuresIn(directory: string): Promise<readonly Erasure[] | null> {
  if (!existsSync(join(directory, LEDGER_FILE))) return [];
  try {
    const { documents } = LedgerDatabase.open({ directory, readOnly: true });
    try {
      await documents.ensure([Erasures.collection]);
      return [...(await new Erasures(documents).all()).values()];
    } finally {
      await documents.close();
    }
  } catch {
    return null;
  }
}

/** Records erasures in a data directory as not finished, so that the next start makes them there as well. */
export async function carryErasures(erasures: readonly Erasure[], directory: string): Promise<void> {
  if (erasures.length === 0) return;
  const { documents } = LedgerDatabase.open({ directory });
  try {
    await documents.ensure([Erasures.collection]);
    const records = erasures.map(erasure => ({
      ...erasure,
      finished: false,
      revision: erasure.revision + 1,
    }));
    await documents.put(Erasures.collection, records);
  } finally {
    await documents.close();
  }
}
