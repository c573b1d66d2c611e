import { readFileSync } from 'node:fs';
import type { Head } from '#background/verify/chain-audit';
import { CommandFailed } from './failures.js';

/** A larger file is no list of heads: this is room for a million of them. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Reads heads that were noted earlier: what `verify --json` printed, the heads of a backup, or a household's export.
 * @throws CommandFailed where the file cannot be read or holds no heads
 */
export function readExpectedHeads(file: string): Head[] {
  let content: unknown;
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > FILE_BYTES_MAX) throw new CommandFailed(`${file} is too large for a list of heads.`);
    content = JSON.parse(text);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    if (error instanceof SyntaxError) throw new CommandFailed(`${file} is no JSON.`);
    throw new CommandFailed(`${file} cannot be read.`, { cause: error });
  }
  const heads = headsIn(content);
  if (heads) return heads;
  throw new CommandFailed(
    `${file} holds no heads: give what \`ledger projections verify --json\` printed, or a household's export.`,
  );
}

function headsIn(content: unknown): Head[] | null {
  if (!isObject(content)) return null;
  const { households, household_id, head } = content;
  if (Array.isArray(households)) return every(households.map(household => headOf(household)));
  return isObject(head) ? every([headOf({ household_id, ...head })]) : null;
}

function headOf(value: unknown): Head | null {
  if (!isObject(value)) return null;
  const { household_id: householdId, revision, hash } = value;
  if (typeof householdId !== 'string' || !Number.isSafeInteger(revision)) return null;
  if (hash !== null && !(typeof hash === 'string' && HASH.test(hash))) return null;
  return { householdId, revision: Number(revision), hash };
}

function every(heads: readonly (Head | null)[]): Head[] | null {
  const found = heads.filter(head => head !== null);
  return found.length === heads.length ? found : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
