import { Logger } from '@nestjs/common';
import { isUnavailable } from '#concurrency/unavailable';

const log = new Logger('accounts');

/**
 * Waits for what follows a change of an account: what fails must not make it look otherwise, so the log says it.
 * @param change what was done, for the log
 * @param steps by what is not done where one fails
 */
export async function afterChange(
  change: string,
  steps: Readonly<Record<string, Promise<unknown>>>,
): Promise<void> {
  const outcomes = await Promise.allSettled(Object.values(steps));
  for (const [at, step] of Object.keys(steps).entries()) {
    const outcome = outcomes[at]!;
    if (outcome.status === 'rejected') log.error(`${change}, but ${step}: ${told(outcome.reason)}`);
  }
}

/** A store's message is made for operators. Any other may hold an address, so only its kind is told. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return isUnavailable(error) ? error.message : error.name;
}
