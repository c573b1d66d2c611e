// Backups of former versions: the files of a data directory in chunks.
import { createHash, type Hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { requestsFirst } from '#concurrency/turns';
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
  const hash = createHash('sha256');
  try {
    await writeFile(target, chunksOf(db, file, hash), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // The system does not say which file could not be written on.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path: target }) : error;
  }
  return statSync(target).size === file.size && hash.digest('hex') === file.sha256;
}

async function* chunksOf(db: Database, { id, size }: ChunkedFile, hash: Hash): AsyncGenerator<Uint8Array> {
  const read = db.prepare('SELECT bytes FROM chunks WHERE file = ? AND number = ?');
  for (let number = 0, taken = 0; taken < size; number++) {
    const row = read.get(id, number) as { bytes: Uint8Array } | undefined;
    if (!row || row.bytes.length === 0) return;
    hash.update(row.bytes);
    yield row.bytes;
    taken += row.bytes.length;
    await requestsFirst();
  }
}
