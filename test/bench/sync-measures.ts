import { atLeast, type Figure, type Round } from './figures.js';
import type { LedgerServer } from './ledger-server.js';
import type { Bench } from './measures.js';

const SYNC_LEAST = 0.5;
/** Transactions that each side reads in a round. */
const ROWS = 20_000;
const SYNC_PAGE = 500;
/** The largest that a list has. */
const LIST_PAGE = 200;
const CURSOR = /"(?:next_)?cursor":"([^"]+)"/;

/** Pages of what changed in the old household, against pages of its list: how many transactions come in a second. */
export async function syncAgainstList(
  { households, sizes, progress }: Bench,
  server: LedgerServer,
): Promise<Figure[]> {
  const { token, old: householdId } = households;
  /** Reads page after page, one request after the other. @returns transactions a second */
  const read = async (path: string, pageRows: number): Promise<number> => {
    let next = path;
    let milliseconds = 0;
    let rows = 0;
    while (rows < ROWS) {
      const begun = performance.now();
      const text = await server.call('GET', next, { token, householdId });
      milliseconds += performance.now() - begun;
      rows += pageRows;
      const cursor = CURSOR.exec(text)?.[1];
      if (cursor === undefined) break;
      next = `${path}&cursor=${cursor}`;
    }
    return (rows * 1_000) / milliseconds;
  };
  const list = () => read(`/transactions?view=tracked&limit=${LIST_PAGE}`, LIST_PAGE);
  const against = async (name: string, since: number): Promise<Figure> => {
    const rounds: Round[] = [];
    for (let round = -1; round < sizes.rounds; round++) {
      const value = await read(`/sync?since=${since}&limit=${SYNC_PAGE}`, SYNC_PAGE);
      const floor = await list();
      progress(`${name}: ${value.toFixed(0)} : ${floor.toFixed(0)} rows/s`);
      if (round >= 0) rounds.push({ value, floor });
    }
    const measure = `GET /sync ${name}, ${SYNC_PAGE} a page : the list, rows/s`;
    return atLeast(measure, rounds, SYNC_LEAST);
  };
  // From 0 on the events are read; without a revision, the documents.
  return [await against('of everything', -1), await against('since a revision', 0)];
}
