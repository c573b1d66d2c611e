/** The URL of a store cannot be used. One sentence that names the variable and never holds a password. */
export class StoreUrlError extends Error {
  override readonly name = 'StoreUrlError';
}
