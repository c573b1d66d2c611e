import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import type { Head } from '#engine/verify/chain-audit';
import { CommandFailed } from './failures.js';

/** What a backup begins with: https://sqlite.org/fileformat2.html#the_database_header */
const DATABASE_MAGIC = 'SQLite format 3\0';
const HASH = /^[0-9a-f]{64}$/;

/**
 * Reads heads that were noted earlier: what `verify --json` or `backup --json` printed, a backup, or a household's export;
 * all but a backup may come through a pipe.
 * @throws CommandFailed where the file cannot be read or holds no heads, DatabaseRefused for a backup of that kind
 */
export async function readExpectedHeads(file: string): Promise<readonly Head[]> {
  let content: unknown;
  try {
    // A pipe can be read only once, and a backup does not come through one.
    if (statSync(file).isFile() && isDatabase(file)) {
      const { headsOfBackup } = await import('../backup/backup-file.js');
      return headsOfBackup(file);
    }
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandFailed(`${file} is not JSON.`);
    // Node itself refuses a file that is too large for one text.
    if (isOfNode(error)) throw new CommandFailed(`${file} cannot be read.`, { cause: error });
    throw error;
  }
  const heads = headsIn(content);
  if (heads) return heads;
  throw new CommandFailed(
    `${file} contains no heads. Use the output of \`ledger projections verify --json\`, a backup or an export.`,
  );
}

function headsIn(content: unknown): Head[] | null {
  if (!isObject(content)) return null;
  const { households, household_id, head } = content;
  const single = isObject(head) ? { household_id, ...head } : null;
  const listed: readonly unknown[] = Array.isArray(households) ? households : [single];
  const heads = listed.map(headOf).filter(found => found !== null);
  return heads.length === listed.length ? heads : null;
}

function headOf(value: unknown): Head | null {
  if (!isObject(value)) return null;
  const { household_id: householdId, revision, hash } = value;
  if (typeof householdId !== 'string' || !Number.isSafeInteger(revision)) return null;
  if (hash !== null && !(typeof hash === 'string' && HASH.test(hash))) return null;
  return { householdId, revision: Number(revision), hash };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDatabase(file: string): boolean {
  const begin = Buffer.alloc(DATABASE_MAGIC.length);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, begin, 0, begin.length, 0);
  } finally {
    closeSync(handle);
  }
  return begin.toString('latin1') === DATABASE_MAGIC;
}

function isOfNode(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
