import { TRANSACTIONS_PER_MONTH_MAX } from '#ledger/limits';
import { postTarget } from './bench-households.js';
import { bounded, type Figure } from './figures.js';
import type { LedgerServer } from './ledger-server.js';
import type { Bench } from './measures.js';
import type { WaitProbe } from './wait-probe.js';
import { WorkerProcess } from './worker-process.js';

const WAIT_MS_MAX = 200;
/** Of each command: the first one meets code that is not compiled yet. */
const ROUNDS = 2;

interface Activity {
  readonly activity: readonly { readonly event_id: string }[];
}

/**
 * How long another household waits at most while one takes 20,000 transactions from their item, by each of the commands
 * that do, and takes that back.
 */
export async function waitsBehindLargeCommands(bench: Bench, server: LedgerServer): Promise<Figure> {
  const { households, progress } = bench;
  const { token, crowded: householdId } = households;
  const watched = {
    url: `${server.url}/v1`,
    token,
    read: await postTarget(server, token, households.many[0]!),
    posted: await postTarget(server, token, households.young),
  };
  const { months, itemIds } = await postTarget(server, token, householdId);
  const month = months.at(-1)!;
  const call = (method: string, path: string, body?: object): Promise<string> =>
    server.call(method, path, { token, householdId, ...(body && { body }) });
  const undo = async (): Promise<void> => {
    const { activity } = JSON.parse(await call('GET', '/activity?limit=1')) as Activity;
    await call('POST', `/activity/${activity[0]!.event_id}/undo`);
  };
  const commands: Readonly<Record<string, () => Promise<unknown>>> = {
    'deleting the item': () => call('DELETE', `/months/${month}/items/${itemIds[0]}`),
    'undoing that': undo,
    'resetting the month': () => call('POST', `/months/${month}/reset`, { mode: 'replace' }),
    'undoing the reset': undo,
  };
  const probe = WorkerProcess.start<WaitProbe>('wait-probe.js');
  let longest = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, command] of Object.entries(commands)) {
      await probe.call('begin', watched);
      const begun = performance.now();
      await command();
      const took = performance.now() - begun;
      const { read, post } = await probe.call('end', undefined);
      progress(
        `${name} took ${took.toFixed(0)} ms, others waited ${read.toFixed(0)} and ${post.toFixed(0)} ms`,
      );
      longest = Math.max(longest, read, post);
    }
  }
  await probe.stop();
  const rows = TRANSACTIONS_PER_MONTH_MAX.toLocaleString('en-US');
  const name = `Longest wait of another household behind a command on ${rows} transactions, ms`;
  return bounded(name, longest, WAIT_MS_MAX, 'ms');
}
