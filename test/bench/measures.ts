import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
import { ledgerProcess } from '../cli/ledger-program.scenario.js';
import { postTarget, type BenchHouseholds, type Sizes } from './bench-households.js';
import { atLeast, atMost, bounded, type Figure, type Round } from './figures.js';
import type { FloorServer } from './floor-server.js';
import { WorkerProcess } from './worker-process.js';
import { appendHistory } from './history.js';
import { LedgerServer } from './ledger-server.js';
import type { Load, LoadGenerator, LoadResult, PostTarget } from './load-generator.js';
import type { Projector } from './projector.js';
import type { ScanFloor } from './scan-floor.js';

/** What the measures work on. */
export interface Bench {
  /** Of the server's data. */
  readonly directory: string;
  readonly sizes: Sizes;
  readonly households: BenchHouseholds;
  readonly load: WorkerProcess<LoadGenerator>;
  /** Says how far the run is. */
  readonly progress: (text: string) => void;
}

export const CONNECTIONS = 32;
/** Before its rounds each side runs so long, so that the code is compiled and caches are filled. */
export const WARM_UP_PART = 0.5;
const NO_MATCH = 'zzyzx road';
const RESTARTS = 3;
const BATCH_OPERATIONS = 500;
const BATCH_LEAST = 10;
const BATCH_SECONDS_MIN = 2;
const MEMORY_MIB_MAX = 400;
const STATE_MIB_MAX = 64;
const FIRST_COMMAND_MS_MAX = 1_000;
const PROJECTING_LEAST = 0.15;
const REBUILDING_LEAST = 0.12;

/** The log alone, as it was made. */
const LOG = 'log.db';

/** The floor's process on a copy of the accounts, so that it knows the same token. */
async function startFloor({ directory }: Bench): Promise<{ floor: WorkerProcess<FloorServer>; url: string }> {
  const floor = WorkerProcess.start<FloorServer>('floor-server.js');
  const own = join(directory, 'floor');
  mkdirSync(own, { recursive: true });
  return { floor, url: await floor.call('listen', own) };
}

/** Copies the accounts for the floor; the server must be stopped, so that the file is whole. */
export function copyAccounts(directory: string): void {
  const own = join(directory, 'floor');
  mkdirSync(own, { recursive: true });
  cpSync(join(directory, LEDGER_FILE), join(own, LEDGER_FILE));
}

/** Runs two loads in turn: A B A B …, after a warm-up of each. */
async function inTurn(
  { load, sizes, progress }: Bench,
  name: string,
  value: Omit<Load, 'seconds'>,
  floor: Omit<Load, 'seconds'>,
  pick: (result: LoadResult) => number,
): Promise<Round[]> {
  const { rounds, seconds } = sizes;
  for (const one of [value, floor]) await load.call('run', { ...one, seconds: seconds * WARM_UP_PART });
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = pick(await load.call('run', { ...value, seconds }));
    const theirs = pick(await load.call('run', { ...floor, seconds }));
    measured.push({ value: ours, floor: theirs });
    progress(`${name}: ${ours.toFixed(1)} : ${theirs.toFixed(1)}`);
  }
  return measured;
}

/** The three routes against the bare platform. */
export async function routesAgainstFloor(bench: Bench, server: LedgerServer): Promise<Figure[]> {
  const { token, many } = bench.households;
  const { floor, url } = await startFloor(bench);
  const posts: PostTarget[] = [];
  for (const householdId of many) posts.push(await postTarget(server, token, householdId));
  const monthPath = `/months/${posts[0]!.month}`;
  const listPath = '/transactions?view=tracked&limit=100';
  const same = { token, householdId: many[0]! };
  await floor.call('prepare', {
    month: await server.call('GET', monthPath, same),
    list: await server.call('GET', listPath, same),
  });
  const common = { token, connections: CONNECTIONS };
  const perSecond = (result: LoadResult): number => result.perSecond;
  const against = async (name: string, path: string, floorPath: string, what: object): Promise<Round[]> =>
    inTurn(
      bench,
      name,
      { ...common, ...what, url: `${server.url}/v1${path}` },
      { ...common, ...what, url: `${url}/floor/${floorPath}` },
      perSecond,
    );
  const reads = { householdIds: many };
  const figures = [
    atLeast('GET /months/{month}, requests/s', await against('month', monthPath, 'month', reads), 0.9),
    atLeast('GET /transactions?limit=100, requests/s', await against('list', listPath, 'list', reads), 0.8),
    atLeast(
      'POST /transactions, requests/s',
      await against('post', '/transactions', 'transactions', { posts }),
      0.4,
    ),
  ];
  await floor.stop();
  return figures;
}

/** Batches of transactions against single posts, by one client that sends one request after the other. */
export async function batchesAgainstPosts(bench: Bench, server: LedgerServer): Promise<Figure> {
  const { token, many } = bench.households;
  const posts: PostTarget[] = [];
  for (const householdId of many) posts.push(await postTarget(server, token, householdId));
  const url = `${server.url}/v1/transactions`;
  const single = { token, connections: 1, posts };
  const batch = { ...single, url: `${url}/batch`, operations: BATCH_OPERATIONS };
  // A batch takes long: in less time there would be too few.
  const sizes = { ...bench.sizes, seconds: Math.max(bench.sizes.seconds, BATCH_SECONDS_MIN) };
  const rounds = await inTurn(
    { ...bench, sizes },
    'batches : posts',
    batch,
    { ...single, url },
    ({ perSecond }) => perSecond,
  );
  const transactions = rounds.map(({ value, floor }) => ({ value: value * BATCH_OPERATIONS, floor }));
  const name = `POST /transactions/batch of ${BATCH_OPERATIONS} : POST /transactions, transactions/s`;
  return atLeast(name, transactions, BATCH_LEAST);
}

/** The same routes in an old household against a young one, one request after the other. */
export async function oldAgainstYoung(bench: Bench, server: LedgerServer): Promise<Figure[]> {
  const { households, sizes } = bench;
  const { token } = households;
  const targets = {
    old: await postTarget(server, token, households.old),
    young: await postTarget(server, token, households.young),
  };
  const ages = `at ${sizes.old.toLocaleString('en-US')} : ${sizes.young.toLocaleString('en-US')} transactions, ms`;
  const compared = async (
    name: string,
    loadOf: (target: PostTarget) => object,
    path: string,
  ): Promise<Figure> => {
    const load = (target: PostTarget): Omit<Load, 'seconds'> => ({
      ...loadOf(target),
      token,
      connections: 1,
      url: `${server.url}/v1${path.replace('{month}', target.month)}`,
    });
    const ms = (result: LoadResult): number => result.medianMs;
    const rounds = await inTurn(bench, `${name}, old : young`, load(targets.old), load(targets.young), ms);
    return atMost(`${name} ${ages}`, rounds, 1.3);
  };
  const read = ({ householdId }: PostTarget): object => ({ householdIds: [householdId] });
  // A repeated answer may be the kept bytes of the one before it; one after a post has to be made.
  const anew = (path: string) => (target: PostTarget) => ({ posts: [target], thenGet: `/v1${path}` });
  const [month, list] = ['/months/{month}', '/transactions?view=tracked&limit=100'];
  return [
    await compared('POST /transactions', target => ({ posts: [target] }), '/transactions'),
    await compared('GET /months/{month}', read, month),
    await compared('GET /transactions?limit=100', read, list),
    await compared('GET /months/{month} after a post', anew(month), '/transactions'),
    await compared('GET /transactions?limit=100 after a post', anew(list), '/transactions'),
  ];
}

/** A search that finds nothing, against a bare scan of the same rows. Rates, so that more is better. */
export async function searchAgainstScan(bench: Bench, server: LedgerServer): Promise<Figure> {
  const { directory, households, load, sizes, progress } = bench;
  const { token, old: householdId } = households;
  const scan = WorkerProcess.start<ScanFloor>('scan-floor.js');
  const rows = await scan.call('prepare', { directory, householdId });
  const query = new URLSearchParams({ view: 'tracked', q: NO_MATCH });
  const url = `${server.url}/v1/transactions?${query.toString()}`;
  const search = { url, token, connections: 1, householdIds: [householdId], seconds: sizes.seconds };
  const rounds: Round[] = [];
  for (let round = -1; round < sizes.rounds; round++) {
    const { medianMs } = await load.call('run', search);
    const scanMs = await scan.call('run', { text: NO_MATCH, seconds: sizes.seconds });
    progress(`search: ${medianMs.toFixed(2)} ms : ${scanMs.toFixed(2)} ms`);
    if (round >= 0) rounds.push({ value: 1000 / medianMs, floor: 1000 / scanMs });
  }
  await scan.stop();
  return atLeast(
    `GET /transactions?q= without a match in ${rows.toLocaleString('en-US')} rows, searches/s`,
    rounds,
    0.4,
  );
}

/** Crashes and restarts a server: how long the first command on the old household takes, at worst. */
export async function firstCommandAfterRestart(
  { directory, households, progress }: Bench,
  running: LedgerServer,
): Promise<{ figure: Figure; server: LedgerServer }> {
  const { token, old: householdId } = households;
  const { month, itemIds } = await postTarget(running, token, householdId);
  let server = running;
  let slowest = 0;
  for (let restart = 0; restart < RESTARTS; restart++) {
    await server.kill();
    server = await LedgerServer.start(directory);
    const splits = [{ item_id: itemIds[0], amount: 1_000 }];
    const date = `${month}-15`;
    const body = { id: ulid(), type: 'expense', amount: 1_000, date, merchant: 'First', splits };
    const begun = performance.now();
    await server.call('POST', '/transactions', { token, householdId, body });
    const ms = performance.now() - begun;
    progress(`first command after a crash: ${ms.toFixed(0)} ms`);
    slowest = Math.max(slowest, ms);
  }
  await server.ready();
  const name = 'First command after a crash on the old household, slowest of 3, ms';
  return { figure: bounded(name, slowest, FIRST_COMMAND_MS_MAX, 'ms'), server };
}

/** What the old household costs in memory; no server may be running. */
export async function stateOfOldHousehold({ directory, households }: Bench): Promise<Figure> {
  const projector = WorkerProcess.start<Projector>('projector.js');
  const mib = await projector.call('stateSize', { directory, householdId: households.old });
  await projector.stop();
  return bounded('State of the old household in memory, MiB', mib, STATE_MIB_MAX, 'MiB');
}

/** Rounds of projecting and rebuilding: the machine is faster at one time than at another. */
const LOG_ROUNDS = 3;

/**
 * Projecting a whole log, and then rebuilding and verifying what that made, each against merely reading it right before
 * and after. @returns also the peak memory of the process that projected
 */
export async function projectionAgainstReading(
  directory: string,
  sizes: Sizes,
  progress: Bench['progress'],
): Promise<{ figures: Figure[]; peakMemory: number | null }> {
  const events = await makeLog(directory, sizes);
  progress(`log of ${events} events made`);
  const projector = WorkerProcess.start<Projector>('projector.js');
  const timed = async (what: string, work: () => Promise<number>): Promise<number> => {
    const perSecond = await work();
    progress(`${what} ${perSecond.toFixed(0)} events/s`);
    return perSecond;
  };
  const read = (): Promise<number> => timed('read', () => projector.call('read', directory));
  const [projecting, rebuilding]: [Round[], Round[]] = [[], []];
  let before = await read();
  let peakMemory: number | null = null;
  for (let round = 0; round < LOG_ROUNDS; round += 1) {
    removeReadModels(directory);
    const projected = await timed('projected', () => projector.call('project', { directory, events }));
    // What projects once more in the same process may have the connections of the time before, which no server has.
    if (round === 0) peakMemory = projector.peakMemory();
    const between = await read();
    projecting.push({ value: projected, floor: (before + between) / 2 });
    const rebuilt = await timed('rebuilt and verified', () => rebuild(directory));
    before = await read();
    rebuilding.push({ value: rebuilt, floor: (between + before) / 2 });
  }
  await projector.stop();
  const log = `${sizes.logEvents.toLocaleString('en-US')} events, events/s`;
  const figures = [
    atLeast(`Folding and projecting ${log}`, projecting, PROJECTING_LEAST),
    atLeast(`Rebuilding and verifying ${log}`, rebuilding, REBUILDING_LEAST),
  ];
  return { figures, peakMemory };
}

async function makeLog(directory: string, { logEvents }: Sizes): Promise<number> {
  mkdirSync(directory, { recursive: true });
  const store = LedgerDatabase.open({ directory }).eventStore;
  const householdIds = Array.from({ length: 50 }, () => ulid());
  const eventsPerHousehold = Math.round(logEvents / householdIds.length);
  const options = { householdIds, userId: ulid(), eventsPerHousehold, mix: 'mixed', months: 12 } as const;
  const events = await appendHistory(store, options);
  await store.close();
  cpSync(join(directory, LEDGER_FILE), join(directory, LOG));
  return events;
}

/** Brings a ledger back to the log that was made, without read models. */
function removeReadModels(directory: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(join(directory, `${LEDGER_FILE}${suffix}`), { force: true });
  cpSync(join(directory, LOG), join(directory, LEDGER_FILE));
}

/** As an operator does with no server running, the start of the program included. @returns events a second */
async function rebuild(directory: string): Promise<number> {
  const begun = performance.now();
  const { code, stdout, stderr } = await ledgerProcess(['projections', 'rebuild', '--json'], { directory });
  if (code !== 0) throw new Error(stderr);
  const { events } = JSON.parse(stdout) as { events: number };
  return events / ((performance.now() - begun) / 1000);
}

/** The most memory of any server process, the one that projected the log included. */
export function peakMemory(peaks: readonly (number | null)[]): Figure[] {
  const known = peaks.filter(peak => peak !== null);
  if (known.length === 0) return [];
  return [bounded('Peak memory of the server, MiB', Math.max(...known), MEMORY_MIB_MAX, 'MiB')];
}
