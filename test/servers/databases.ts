import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** A name for a database that no other run uses. */
export function drawDatabase(): string {
  return `ledger_test_${randomBytes(8).toString('hex')}`;
}

/** The URL with another database, for the same user. */
export function urlOfDatabase(url: string, database: string): string {
  const [, base = url, former = '', query = ''] =
    /^([^/]+\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url) ?? [];
  const options = query === '' ? [] : query.split('&');
  const authenticates = base.includes('@') && !options.some(option => /^authSource=/i.test(option));
  if (authenticates) options.push(`authSource=${former === '' ? 'admin' : former}`);
  return `${base}/${database}${options.length === 0 ? '' : `?${options.join('&')}`}`;
}

/** Removes the database that the URL names. */
export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}
