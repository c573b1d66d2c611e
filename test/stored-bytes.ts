import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';

/** Everything that the files of a data directory hold, mails that were handed over apart, as bytes read as text. */
export async function storedBytes(directory: string): Promise<string> {
  const names = (await readdir(directory, { withFileTypes: true })).filter(entry => entry.isFile());
  const files = await Promise.all(names.map(({ name }) => readFile(join(directory, name), 'latin1')));
  return files.join('\n');
}

/** Everything that a database of MongoDB holds, its documents as JSON. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new MongoClient(url);
  try {
    const collections = await client.db().collections();
    const contents = await Promise.all(collections.map(collection => collection.find().toArray()));
    return contents
      .flat()
      .map(document => JSON.stringify(document))
      .join('\n');
  } finally {
    await client.close();
  }
}
