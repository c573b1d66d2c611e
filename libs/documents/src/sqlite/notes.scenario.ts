import type { Collection, Document } from '../documents.js';
import { SqliteDocuments } from './sqlite-documents.js';

export interface Note extends Document {
  readonly text?: string;
  readonly owner?: string;
}

export const NOTES: Collection<Note> = {
  name: 'notes',
  durability: 'derived',
  indexes: [{ name: 'by_owner', equals: ['owner'], sort: 'text' }],
};
export const PLAIN: Collection<Note> = { name: 'plain', durability: 'derived', indexes: [] };
export const note = (key: string, revision = 1): Note => ({
  key,
  revision,
  text: `${key} ${revision}`,
  owner: 'o',
});
export const OF_OWNER = { index: 'by_owner', equals: { owner: 'o' }, limit: 100 } as const;

/** What a store that is opened anew finds of some notes. */
export async function storedNotes(directory: string, keys: readonly string[]): Promise<Note[]> {
  const documents = SqliteDocuments.open({ directory });
  await documents.ensure([NOTES]);
  const found = await documents.getMany(NOTES, keys);
  await documents.close();
  return found;
}
