/** How long what failed waits before it is tried again, in milliseconds. */
export const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

/** How long it waits when it has failed again. */
export function longerWait(milliseconds: number): number {
  return Math.min(milliseconds * 2, RETRY_MAX_MS);
}
