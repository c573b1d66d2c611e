import type { Logger } from 'pino';

export type Closing = () => Promise<void> | void;

/** Closes all, each in its turn, also where one before it could not be closed. @throws at the end, all that was thrown */
export async function closeAll(closings: readonly Closing[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closings) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, 'Several things could not be closed.');
  if (errors.length === 1) throw errors[0];
}

/** Closes what a failure leaves open. What that throws is logged alone, so that the failure stays the one that is told. */
export async function closeAllAfterFailure(closings: readonly Closing[], logger: Logger): Promise<void> {
  await closeAll(closings).catch((error: unknown) => logger.error({ err: error }, 'closing failed'));
}
