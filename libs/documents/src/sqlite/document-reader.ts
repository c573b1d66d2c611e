import { setImmediate as nextTurn } from 'node:timers/promises';
import { satisfies, withIndexed } from '../declared.js';
import type { Document, IndexQuery, Where } from '../documents.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import { documentsByIds, documentsByKeys, joined, searchStep, WALK_ENTRIES } from './query-plan.js';
import type { Bound, Place } from './query-plan.js';
import type { Row, Statements } from './statements.js';

/** Documents that are decoded in one turn of the event loop; texts of more are decoded in several. */
export const DOCUMENTS_PER_TURN = 512;
/** Hits that one step of a search looks for, once hits are frequent. Each may cost a walk of `WALK_ENTRIES`. */
const HITS_PER_STEP = 8;

/** Runs one synchronous read on the open connection. */
export type Read = <R>(work: (s: Statements) => R) => R;

/**
 * The documents of a statement that answers their texts. All texts are read at one moment.
 * @param limit the most that can come
 */
export async function readDocuments<T extends Document>(
  read: Read,
  bound: Bound,
  limit: number,
): Promise<T[]> {
  if (limit <= DOCUMENTS_PER_TURN) return read(s => decodeJoined<T>(s, joined(bound)));
  const rows = read(s => s.rows(bound.sql, bound.values));
  const documents: T[] = [];
  for (let from = 0; from < rows.length; from += DOCUMENTS_PER_TURN) {
    if (from > 0) await nextTurn();
    const texts = rows.slice(from, from + DOCUMENTS_PER_TURN).join();
    const some: T[] = JSON.parse(`[${texts}]`);
    documents.push(...some);
  }
  return documents;
}

export async function readByKeys<T extends Document>(
  read: Read,
  layout: CollectionLayout,
  keys: readonly string[],
  now: number,
): Promise<T[]> {
  const distinct = [...new Set(keys)];
  const documents: T[] = [];
  for (let from = 0; from < distinct.length; from += DOCUMENTS_PER_TURN) {
    if (from > 0) await nextTurn();
    const some = JSON.stringify(distinct.slice(from, from + DOCUMENTS_PER_TURN));
    const bound = joined({ sql: documentsByKeys(layout), values: [some, now] });
    documents.push(...read(s => decodeJoined<T>(s, bound)));
  }
  return documents;
}

/**
 * A query with conditions: walks the index in steps, giving way to other work in between. An entry is seen as it
 * is when the walk passes it.
 */
export async function searchDocuments<T extends Document>(
  read: Read,
  layout: CollectionLayout,
  index: IndexLayout,
  query: IndexQuery & { readonly where: Where },
  now: number,
): Promise<T[]> {
  const found = new Map<string, T>();
  if (query.where.length === 0) return [];
  let after: Place | undefined = query.after;
  let hitsWanted = 1;
  let sinceTurn = 0;
  while (found.size < query.limit) {
    const limit = Math.min(hitsWanted, query.limit - found.size);
    const place = after;
    const { rows, documents } = read(s => step<T>(s, layout, searchStep(index, query, place, limit), now));
    for (const document of documents) {
      if (found.has(document.key)) continue;
      if (satisfies(withIndexed(layout.collection, document), query.where)) found.set(document.key, document);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) break;
    after = { sort: String(last[1]), key: String(last[2]) };
    const interrupted = rows.some(interruptsWalk);
    hitsWanted = interrupted ? 1 : Math.min(hitsWanted * 2, HITS_PER_STEP);
    sinceTurn += rows.length;
    if (interrupted || sinceTurn >= DOCUMENTS_PER_TURN) {
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return [...found.values()];
}

/** Reads the texts in the same turn as the entries, so that no document can go in between. */
function step<T>(
  s: Statements,
  layout: CollectionLayout,
  { sql, values }: Bound,
  now: number,
): { rows: Row[]; documents: T[] } {
  const rows = s.rows(sql, values);
  if (rows.length === 0) return { rows, documents: [] };
  const ids = JSON.stringify(rows.map(([id]) => id));
  return { rows, documents: decodeJoined<T>(s, joined({ sql: documentsByIds(layout), values: [ids, now] })) };
}

function interruptsWalk([id]: Row): boolean {
  return Number(id) % WALK_ENTRIES === 0;
}

function decodeJoined<T>(s: Statements, { sql, values }: Bound): T[] {
  const texts = s.row(sql, values)?.[0];
  if (typeof texts !== 'string') return [];
  const documents: T[] = JSON.parse(texts);
  return documents;
}
