import type { EventStore } from '#storage/event-store/event-store';
import type { Documents } from '#storage/documents/documents';
import { isUlid } from '#http/field-rules';
import type { Household, ItemIdentity } from '#ledger/household';
import { foldCase } from '#projections/fold-case';
import { lastEventOf } from '#engine/households/household-stream';
import { CommandFailed } from './failures.js';

/** A name that several items share is refused with at most this many of their ids. */
const NAMESAKES_MAX = 5;

/**
 * A household folded from its events.
 * @param asOf as it was at this moment; as it is when absent
 * @throws EventStoreUnavailable, DocumentsUnavailable, UnknownEvent
 */
export async function householdAt(
  { eventStore, documents }: { readonly eventStore: EventStore; readonly documents: Documents },
  householdId: string,
  asOf?: string,
): Promise<Household> {
  const { PastHouseholds } = await import('#engine/households/past-households');
  const past = new PastHouseholds(eventStore, documents);
  if (asOf !== undefined) return past.at(householdId, asOf);
  const last = await lastEventOf(eventStore, householdId);
  return past.atRevision(householdId, last?.revision ?? -1);
}

/**
 * The item with this id, else the only one with this name, in any case.
 * @param asOf the moment of the household, for the sentence
 * @throws CommandFailed if there is none, or several share the name
 */
export function requireItem({ items }: Household, idOrName: string, asOf?: string): ItemIdentity {
  const found = items.get(idOrName.toUpperCase());
  if (found) return found;
  const name = foldCase(idOrName);
  const namesakes = [...items.values()].filter(item => foldCase(item.name) === name);
  if (namesakes.length === 1) return namesakes[0]!;
  if (namesakes.length > 1) throw new CommandFailed(ambiguous(idOrName, namesakes));
  const what = isUlid(idOrName.toUpperCase()) ? idOrName : `named “${idOrName}”`;
  const when = asOf === undefined ? '' : ` at ${asOf}`;
  throw new CommandFailed(
    `There is no item ${what} in this household${when}. Run \`ledger items\` to list them.`,
  );
}

function ambiguous(name: string, namesakes: readonly ItemIdentity[]): string {
  const ids = namesakes.slice(0, NAMESAKES_MAX).map(({ id }) => id);
  const more = namesakes.length > NAMESAKES_MAX ? ' and more' : '';
  return `${namesakes.length} items are named “${name}”. Use an id: ${ids.join(', ')}${more}.`;
}
