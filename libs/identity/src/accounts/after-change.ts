import { Logger } from '@nestjs/common';
import { isUnavailable } from '#http/is-unavailable';

const log = new Logger('password');

/**
 * Waits for what follows a password that is changed: what fails must not make it look otherwise, so the log says it.
 * @param steps by what is not done where one fails
 */
export async function afterChange(steps: Readonly<Record<string, Promise<unknown>>>): Promise<void> {
  const outcomes = await Promise.allSettled(Object.values(steps));
  for (const [at, step] of Object.keys(steps).entries()) {
    const outcome = outcomes[at]!;
    if (outcome.status === 'rejected')
      log.error(`a password was changed, but ${step}: ${told(outcome.reason)}`);
  }
}

/** A store's message is made for operators. Any other may hold an address, so only its kind is told. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return isUnavailable(error) ? error.message : error.name;
}
