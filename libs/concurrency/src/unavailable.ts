/**
 * Whether a store is down, so that the same may work later. The errors of all stores carry the same mark, and a message
 * for operators, without secrets.
 */
export function isUnavailable(error: unknown): error is Error & { readonly unavailable: true } {
  return error instanceof Error && 'unavailable' in error && error.unavailable === true;
}
