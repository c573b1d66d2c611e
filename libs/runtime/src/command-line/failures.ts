import { isForOperators } from '#engine/households/store-failures';

/** A command cannot do what it was asked to; the message is one sentence for the operator. Exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** Everything is said; exit code 1. */
export class AlreadyReported extends Error {
  override readonly name = 'AlreadyReported';
}

/**
 * Further errors whose message is one sentence for the operator, by their names: their classes would load what `--help`
 * need not wait for.
 */
const FOR_OPERATORS: ReadonlySet<string> = new Set([
  'CommandFailed',
  'LedgerError',
  'ConfigurationError',
  'DatabaseRefused',
  'SqliteUnavailable',
  'RebuildRefused',
  'AdministrationRefused',
  'NotDoneByServer',
]);

/** @returns the sentence that the operator reads, or null for a fault of the program */
export function sentenceFor(error: unknown): string | null {
  if (isForOperators(error)) return error.message;
  if (!(error instanceof Error)) return null;
  if (FOR_OPERATORS.has(error.name)) return error.message;
  // All the JSON that commands read without checking it themselves is that of the stores.
  if (error instanceof SyntaxError) return `The stores contain damaged data: ${error.message}.`;
  if ('syscall' in error && 'code' in error) {
    const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : '';
    return `${path}${error.code === 'ENOSPC' ? 'the disk is full' : `system error ${String(error.code)}`}`;
  }
  return null;
}

/** Runs work of the API. @throws CommandFailed with the sentence where it is refused with this error code */
export async function orFail<T>(code: string, sentence: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) throw new CommandFailed(sentence);
    throw error;
  }
}
