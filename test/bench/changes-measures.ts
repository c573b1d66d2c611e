import { postTarget } from './bench-households.js';
import type { ChangeListeners } from './change-listeners.js';
import { atMost, bounded, type Figure, type Round } from './figures.js';
import type { LedgerServer } from './ledger-server.js';
import type { PostTarget } from './load-generator.js';
import { WARM_UP_PART, type Bench } from './measures.js';
import { WorkerProcess } from './worker-process.js';

/** As many as a process serves. */
const CLIENTS = 1_000;
const CLIENTS_MIB_MAX = 100;
const POST_LATENCY_RATIO_MAX = 1.1;
/** For one of other measures: what is looked for is smaller than what the machine's moods make of one round. */
const ROUNDS_FOR_ONE = 2;

/**
 * What a thousand clients that follow changes cost: memory, and time of posts. Each post is told to one
 * of them in the next round, as its household has one; all others follow another household.
 */
export async function postsWithClients(bench: Bench, server: LedgerServer): Promise<Figure[]> {
  const { load, progress, sizes } = bench;
  const { token, many: householdIds } = bench.households;
  const posts: PostTarget[] = [];
  for (const householdId of householdIds) posts.push(await postTarget(server, token, householdId));
  const quiet = Array.from({ length: CLIENTS - posts.length }, () => bench.households.young);
  const listening = { url: server.url, token, householdIds: [...householdIds, ...quiet], clients: CLIENTS };
  const post = { url: `${server.url}/v1/transactions`, token, connections: 1, posts };
  // Both sides after some posts of their own: a thousand clients that come or go leave a server busy for a while.
  const medianMs = async (): Promise<number> => {
    await load.call('run', { ...post, seconds: sizes.seconds * WARM_UP_PART });
    return (await load.call('run', { ...post, seconds: sizes.seconds })).medianMs;
  };
  const listeners = WorkerProcess.start<ChangeListeners>('change-listeners.js');
  const rounds: Round[] = [];
  const mebibytes: number[] = [];
  let earlier = await medianMs();
  for (let round = 0; round < ROUNDS_FOR_ONE * sizes.rounds; round++) {
    const before = server.memory;
    await listeners.call('open', listening);
    const after = server.memory;
    if (before !== null && after !== null) mebibytes.push(after - before);
    const beside = await medianMs();
    const messages = await listeners.call('close', undefined);
    const later = await medianMs();
    // The machine grows slower and faster by itself: what was between is set beside what was before and after.
    const without = (earlier + later) / 2;
    earlier = later;
    progress(
      `changes: ${beside.toFixed(2)} ms : ${without.toFixed(2)} ms, ${messages} messages, ${mebibytes.at(-1)?.toFixed(1)} MiB`,
    );
    rounds.push({ value: beside, floor: without });
  }
  await listeners.stop();
  const count = CLIENTS.toLocaleString('en-US');
  const latency = atMost(
    `POST told to one of ${count} clients of GET /changes : without any, ms`,
    rounds,
    POST_LATENCY_RATIO_MAX,
  );
  if (mebibytes.length === 0) return [latency];
  // The most that any round took: later ones may use memory again, and any may fall together with a collection.
  const memory = Math.max(...mebibytes);
  return [latency, bounded(`${count} clients of GET /changes, MiB`, memory, CLIENTS_MIB_MAX, 'MiB')];
}
