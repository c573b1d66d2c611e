import { requestsFirst } from '#concurrency/requests-first';
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
  type Part,
  type SelectDocuments,
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
 * The documents of a statement. All texts are read at one moment.
 * @param bind null where there can be none
 * @param limit the most that can come
 * @throws DamagedDocument for the first that cannot be read
 */
export async function readDocuments<T extends Document>(
  read: Read,
  layout: CollectionLayout,
  bind: (c: Connection) => SelectDocuments | null,
  limit: number,
): Promise<T[]> {
  const readAtOnce = (): T[] =>
    read(c => {
      const select = bind(c);
      return select === null ? [] : decodeJoined<T>(c, layout, select);
    });
  if (limit <= DOCUMENTS_PER_TURN) return readAtOnce();
  const rows = read(c => {
    const bound = bind(c)?.('d.body');
    return bound === undefined ? [] : c.rows(bound.sql, bound.values);
  });
  const documents: T[] = [];
  for (let from = 0; from < rows.length; from += DOCUMENTS_PER_TURN) {
    if (from > 0) await requestsFirst();
    const texts = rows.slice(from, from + DOCUMENTS_PER_TURN).join();
    const some = parseAll<T>(`[${texts}]`);
    // One is damaged, which is named by reading them anew; or was, and has been replaced meanwhile.
    if (some === null) return readAtOnce();
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
  return readDocuments<T>(read, layout, () => documentsInRange(layout, range, now), range.limit);
}

/** @throws DamagedDocument */
export function parseDocument<T>({ collection }: CollectionLayout, key: string, body: string): T {
  try {
    const document: T = JSON.parse(body);
    return document;
  } catch {
    throw new DamagedDocument(collection.name, key);
  }
}

/** The documents of these keys that are there. @throws DamagedDocument for the first that cannot be read */
export async function readByKeys<T extends Document>(
  read: Read,
  layout: CollectionLayout,
  keys: readonly string[],
  now: number,
): Promise<T[]> {
  const distinct = [...new Set(keys)];
  const documents: T[] = [];
  for (let from = 0; from < distinct.length; from += DOCUMENTS_PER_TURN) {
    if (from > 0) await requestsFirst();
    const select = documentsByKeys(layout, distinct.slice(from, from + DOCUMENTS_PER_TURN), now);
    documents.push(...read(c => decodeJoined<T>(c, layout, select)));
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
    await requestsFirst();
  }
}

/**
 * A query with conditions: walks the index in steps, giving way to other work in between. An entry is seen as it
 * is when the walk passes it.
 * @throws DamagedDocument for the first hit that cannot be read
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
      await requestsFirst();
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
  const ids = hits.map(([id]) => id ?? null);
  return { rows, documents: decodeJoined<T>(c, layout, documentsByIds(layout, ids, now)) };
}

function interruptsWalk([id]: Row): boolean {
  return Number(id) % WALK_ENTRIES === 0;
}

function decodeJoined<T>(c: Connection, layout: CollectionLayout, select: SelectDocuments): T[] {
  const { sql, values } = joined(select);
  const texts = c.row(sql, values)?.[0];
  if (typeof texts !== 'string') return [];
  return parseAll<T>(texts) ?? decodeEach<T>(c, layout, select);
}

/** Null where one of the texts is damaged: together they do not tell which. */
function parseAll<T>(texts: string): T[] | null {
  try {
    const documents: T[] = JSON.parse(texts);
    return documents;
  } catch {
    return null;
  }
}

/** Looks at each by itself, to name the damaged one. @throws DamagedDocument */
function decodeEach<T>(c: Connection, layout: CollectionLayout, select: SelectDocuments): T[] {
  const { sql, values } = select('d.key, d.body');
  return c.rows(sql, values).map(([key, body]) => parseDocument<T>(layout, String(key), String(body)));
}
