/** Milliseconds since the epoch as the API shows times. */
export function timestamp(at: number): string {
  return new Date(at).toISOString();
}
