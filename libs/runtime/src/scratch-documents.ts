import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchModels, type Scratch } from '#background/verify/scratch-fold';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { collectionsOf, type ReadModels } from '#streams/read-models';

/** A scratch, and how it is thrown away. */
interface OpenScratch extends Scratch {
  close(): Promise<void>;
}

/**
 * Documents in a directory of their own below the system's one for temporary files (`TMPDIR` moves it), which only
 * this user can read. Thrown away when it is closed, and when the process ends.
 */
export async function openScratch(served: ReadModels): Promise<OpenScratch> {
  const directory = mkdtempSync(join(tmpdir(), 'household-ledger-verify-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const documents = SqliteDocuments.open({ directory });
  const models = scratchModels(served);
  await documents.ensure(collectionsOf(models));
  const close = async (): Promise<void> => {
    await documents.close();
    remove();
    process.off('exit', remove);
  };
  return { documents, models, close };
}
