/** Whether a store is down, so that the same may work later. The errors of both ports carry the same mark. */
export function isUnavailable(error: unknown): error is Error {
  return error instanceof Error && 'unavailable' in error && error.unavailable === true;
}

/** What is wrong, for a person. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
