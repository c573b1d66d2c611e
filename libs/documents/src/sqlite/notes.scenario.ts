import type { Collection, Document } from '../documents.js';

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
