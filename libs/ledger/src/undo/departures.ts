import type { LedgerEvent, Ulid } from '../events.js';
import { liveAtLast, type Cell } from './cells.js';

/** A transaction, and whether it was deleted or came back. */
export type Deletion = readonly [id: Ulid, isDeleted: boolean];

/** What an event deletes and restores of the transactions that must not be deleted in the end. */
export function deletions(event: LedgerEvent, needed: readonly Cell[]): readonly Deletion[] {
  switch (event.type) {
    case 'CommandUndone':
      return event.data.events.flatMap(part => deletions(part, needed));
    case 'TransactionDeleted':
    case 'TransactionRestored': {
      const { id } = event.data;
      return needed.includes(liveAtLast(id)) ? [[id, event.type === 'TransactionDeleted']] : [];
    }
    default:
      return [];
  }
}
