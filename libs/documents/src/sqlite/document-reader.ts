import { setImmediate as nextTurn } from 'node:timers/promises';
import { behindKey, eachElement } from '../declared.js';
import { DamagedDocument, type Document, type IndexQuery, type KeyRange, type Where } from '../documents.js';
import { TextDigest } from '../text-digest.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import type { Connection, Row } from './connection.js';
import {
  documentsByIds,
  documentsByKeys,
  documentsInRange,
  isHit,
  joined,
  linesInRange,
  partsBehind,
  placeOfRow,
  searchStep,
  WALK_ENTRIES,
  type Bound,
  type Part,
  type Source,
} from './query-plan.js';
import { equalityOf } from './index-entries.js';

/** Documents that are decoded in one turn of the event loop; texts of more are decoded in several. */
const DOCUMENTS_PER_TURN = 512;
/** Documents whose texts are read in one step of a digest: longer texts cost more memory, and are not faster. */
const DIGESTED_AT_ONCE = 64;
/** Hits that one step of a search looks for, once hits are frequent. Each may cost a walk of `WALK_ENTRIES`. */
const HITS_PER_STEP = 8;

/** Runs one synchronous read on the open connection. */
export type Read = <R>(work: (c: Connection) => R) => R;

/** Where the entries with these values are; null where there can be none. */
export function sourceOf(c: Connection, index: IndexLayout, equals: IndexQuery['equals']): Source | null {
  const equalities = eachElement(equals).map(values => equalityOf(c, index, values));
  const [equality, ...further] = equalities.filter(found => found !== null);
  if (equality === undefined || 1 + further.length < equalities.length) return null;
  if (index.coveredBy === null) return { index, equality, further, covering: null };
  const covering = sourceOf(c, index.coveredBy, equals);
  return covering && { index, equality, further, covering };
}

/**
 * The documents of a statement that answers their texts. All texts are read at one moment.
 * @param bind null where there can be none
 * @param limit the most that can come
 */
export async function readDocuments<T extends Document>(
  read: Read,
  bind: (c: Connection) => Bound | null,
  limit: number,
): Promise<T[]> {
  if (limit <= DOCUMENTS_PER_TURN) {
    return read(c => {
      const bound = bind(c);
      return bound === null ? [] : decodeJoined<T>(c, joined(bound));
    });
  }
  const rows = read(c => {
    const bound = bind(c);
    return bound === null ? [] : c.rows(bound.sql, bound.values);
  });
  const documents: T[] = [];
  for (let from = 0; from < rows.length; from += DOCUMENTS_PER_TURN) {
    if (from > 0) await nextTurn();
    const texts = rows.slice(from, from + DOCUMENTS_PER_TURN).join();
    const some: T[] = JSON.parse(`[${texts}]`);
    documents.push(...some);
  }
  return documents;
}

/** The documents of a range of keys. @throws DamagedDocument for the first that cannot be read */
export async function readRange<T extends Document>(
  read: Read,
  layout: CollectionLayout,
  range: KeyRange,
  now: number,
): Promise<T[]> {
  const bound = documentsInRange(layout, range, now);
  try {
    return await readDocuments<T>(read, () => bound, range.limit);
  } catch (error) {
    if (error instanceof SyntaxError) requireReadable(read, layout, range, now);
    throw error;
  }
}

/** Looks at each by itself, since those of a range are parsed together. @throws DamagedDocument */
function requireReadable(read: Read, layout: CollectionLayout, range: KeyRange, now: number): void {
  const { sql, values } = documentsInRange(layout, range, now, 'key, body');
  for (const [key, body] of read(c => c.rows(sql, values))) parseDocument(layout, String(key), String(body));
}

/** @throws DamagedDocument */
export function parseDocument<T extends Document>(
  { collection }: CollectionLayout,
  key: string,
  body: string,
): T {
  try {
    const document: T = JSON.parse(body);
    return document;
  } catch {
    throw new DamagedDocument(collection.name, key);
  }
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
    documents.push(...read(c => decodeJoined<T>(c, bound)));
  }
  return documents;
}

/** `Documents.digest`: the texts as they are stored, a step at a time. */
export async function digestDocuments(
  read: Read,
  layout: CollectionLayout,
  { from, before }: Pick<KeyRange, 'from' | 'before'>,
  now: number,
): Promise<string> {
  const digest = new TextDigest();
  for (let place = from; ;) {
    const range = { from: place, before, limit: DIGESTED_AT_ONCE };
    const { sql, values } = linesInRange(layout, range, now);
    const [lines, last, count] = read(c => c.row(sql, values)) ?? [];
    if (typeof lines === 'string') digest.addLines(lines);
    if (Number(count) < DIGESTED_AT_ONCE) return digest.end();
    place = behindKey(String(last));
    await nextTurn();
  }
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
  let parts = partsBehind(index, query.after);
  let hitsWanted = 1;
  let sinceTurn = 0;
  while (found.size < query.limit) {
    const [part, ...further] = parts;
    if (part === undefined) break;
    const limit = Math.min(hitsWanted, query.limit - found.size);
    const { rows, documents } = read(c => step<T>(c, layout, index, query, part, limit, now));
    for (const document of documents) {
      // One that moved in the index between two steps may be met again.
      if (!found.has(document.key)) found.set(document.key, document);
    }
    const last = rows.at(-1);
    parts = last === undefined || rows.length < limit ? further : partsBehind(index, placeOfRow(index, last));
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
  c: Connection,
  layout: CollectionLayout,
  index: IndexLayout,
  query: IndexQuery & { readonly where: Where },
  part: Part,
  limit: number,
  now: number,
): { rows: Row[]; documents: T[] } {
  const source = sourceOf(c, index, query.equals);
  if (source === null) return { rows: [], documents: [] };
  const { sql, values } = searchStep(source, query, part, limit);
  const rows = c.rows(sql, values);
  const hits = rows.filter(row => isHit(index, query.where, row));
  if (hits.length === 0) return { rows, documents: [] };
  const ids = JSON.stringify(hits.map(([id]) => id));
  return { rows, documents: decodeJoined<T>(c, joined({ sql: documentsByIds(layout), values: [ids, now] })) };
}

function interruptsWalk([id]: Row): boolean {
  return Number(id) % WALK_ENTRIES === 0;
}

function decodeJoined<T>(c: Connection, { sql, values }: Bound): T[] {
  const texts = c.row(sql, values)?.[0];
  if (typeof texts !== 'string') return [];
  const documents: T[] = JSON.parse(texts);
  return documents;
}
