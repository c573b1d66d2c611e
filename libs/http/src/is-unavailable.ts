/**
 * Whether a store is down, so that the same may work later. This library knows no store: the errors of all of them
 * carry the same mark, and a message for operators, without secrets.
 */
export function isUnavailable(error: unknown): error is Error & { readonly unavailable: true } {
  return error instanceof Error && 'unavailable' in error && error.unavailable === true;
}
