import { bounded, type Figure } from './figures.js';
import { EVENT_EVERY_MS, HISTORY_BEGAN } from './history.js';
import type { LedgerServer } from './ledger-server.js';
import type { Bench } from './measures.js';
import { postTarget } from './bench-households.js';

const AS_OF_MS_MAX = 300;
/** Moments that are asked for, spread over the history. */
const MOMENTS = 20;

/** A month of the old household as it stood at many moments: how long the slowest answer takes. */
export async function pastOfOldHousehold(
  { households, sizes, progress }: Bench,
  server: LedgerServer,
): Promise<Figure> {
  const { token, old: householdId } = households;
  const { month } = await postTarget(server, token, householdId);
  let slowest = 0;
  const answers = new Set<string>();
  for (let moment = 1; moment <= MOMENTS; moment++) {
    const after = Math.round((sizes.old * moment) / (MOMENTS + 1)) * EVENT_EVERY_MS;
    const at = new Date(HISTORY_BEGAN + after).toISOString();
    const begun = performance.now();
    answers.add(await server.call('GET', `/months/${month}?as_of=${at}`, { token, householdId }));
    slowest = Math.max(slowest, performance.now() - begun);
  }
  progress(`as_of: ${slowest.toFixed(0)} ms, ${answers.size} different answers`);
  const rows = sizes.old.toLocaleString('en-US');
  return bounded(
    `GET /months/M?as_of= of ${rows} transactions, slowest of ${MOMENTS}, ms`,
    slowest,
    AS_OF_MS_MAX,
    'ms',
  );
}
