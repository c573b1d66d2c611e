// Backups of former versions: the files of a data directory in chunks.
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { requestsFirst } from '#concurrency/requests-first';
import type { Database } from '#storage/sqlite/open-database';

interface ChunkedFile {
  readonly id: number;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes a file of a backup out, mode 0600; between chunks signals are heard.
 * @returns whether it is there, and what was put in
 */
export async function extractChunked(db: Database, name: string, target: string): Promise<boolean> {
  const file = db.prepare('SELECT id, size, sha256 FROM files WHERE name = ?').get(name) as
    ChunkedFile | undefined;
  if (file === undefined) return false;
  const read = db.prepare('SELECT bytes FROM chunks WHERE file = ? AND number = ?');
  const hash = createHash('sha256');
  const handle = openSync(target, 'wx', 0o600);
  let written = 0;
  try {
    for (let number = 0; written < file.size; number++) {
      const row = read.get(file.id, number) as { bytes: Uint8Array } | undefined;
      if (!row || row.bytes.length === 0) break;
      hash.update(row.bytes);
      for (let at = 0; at < row.bytes.length;) at += writeSync(handle, row.bytes, at);
      written += row.bytes.length;
      await requestsFirst();
    }
  } catch (error) {
    // The system does not say which file a handle is of.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path: target }) : error;
  } finally {
    closeSync(handle);
  }
  return written === file.size && hash.digest('hex') === file.sha256;
}
