import { loggedOf } from '#engine/households/store-failures';

/** At most this many causes of causes are logged. */
const CAUSES_MAX = 5;

/** An error in the log. */
interface LoggedError {
  readonly type: string;
  /** Its message, or where it was thrown. */
  readonly message: string;
  readonly cause?: LoggedError;
}

/**
 * An error for the log, and its causes. Its message stands there only where it was made for operators or by the system:
 * any other may quote what a user wrote, as that of a text which does not parse.
 */
export function loggedError(error: unknown, causesMax = CAUSES_MAX): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: loggedOf(error) };
  const { name: type, cause } = error;
  const logged = { type, message: loggedOf(error) };
  if (cause === undefined || causesMax === 0) return logged;
  return { ...logged, cause: loggedError(cause, causesMax - 1) };
}
