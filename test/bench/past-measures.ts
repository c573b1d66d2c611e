import { bounded, type Figure } from './figures.js';
import { EVENT_EVERY_MS, HISTORY_BEGAN, TRANSACTIONS_PER_MONTH } from './history.js';
import type { LedgerServer } from './ledger-server.js';
import type { Bench } from './measures.js';

const AS_OF_MS_MAX = 300;
/** Moments that are asked for, spread over the history. */
const MOMENTS = 20;

/** The month that was written in, of the old household, as it stood at many moments: how long the slowest answer takes. */
export async function pastOfOldHousehold(
  { households, sizes, progress }: Bench,
  server: LedgerServer,
): Promise<Figure> {
  const { token, old: householdId } = households;
  const listed = await server.call('GET', '/months', { token, householdId });
  const { months } = JSON.parse(listed) as { readonly months: readonly { readonly month: string }[] };
  let slowest = 0;
  const answers = new Set<string>();
  for (let moment = 1; moment <= MOMENTS; moment++) {
    const transactions = Math.round((sizes.old * moment) / (MOMENTS + 1));
    const at = new Date(HISTORY_BEGAN + transactions * EVENT_EVERY_MS).toISOString();
    const { month } = months[Math.trunc(transactions / TRANSACTIONS_PER_MONTH)]!;
    const begun = performance.now();
    answers.add(await server.call('GET', `/months/${month}?as_of=${at}`, { token, householdId }));
    slowest = Math.max(slowest, performance.now() - begun);
  }
  if (answers.size < MOMENTS) throw new Error('two moments of a growing history were answered alike');
  progress(`as_of: ${slowest.toFixed(0)} ms`);
  const rows = sizes.old.toLocaleString('en-US');
  return bounded(
    `GET /months/M?as_of= of ${rows} transactions, slowest of ${MOMENTS}, ms`,
    slowest,
    AS_OF_MS_MAX,
    'ms',
  );
}
