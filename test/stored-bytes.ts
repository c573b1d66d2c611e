import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Everything that the files of a data directory hold, mails that were handed over apart, as bytes read as text. */
export async function storedBytes(directory: string): Promise<string> {
  const names = (await readdir(directory, { withFileTypes: true })).filter(entry => entry.isFile());
  const files = await Promise.all(names.map(({ name }) => readFile(join(directory, name), 'latin1')));
  return files.join('\n');
}
