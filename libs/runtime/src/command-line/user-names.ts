import type { ReadableStores } from './reading.js';

/**
 * Names of users, by id; a user who was erased is called so. What reads them is loaded here and not before, so that
 * `--help` need not wait for it.
 * @throws DocumentsUnavailable
 */
export async function namesOf(
  documents: ReadableStores['documents'],
  users: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const { UserNames } = await import('#identity/accounts/accounts');
  return new UserNames(documents).namesOf(users);
}
