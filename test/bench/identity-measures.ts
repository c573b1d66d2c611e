import { CREDENTIALS } from './bench-households.js';
import { atMost, type Figure, type Round } from './figures.js';
import type { LedgerServer } from './ledger-server.js';
import type { Load } from './load-generator.js';
import { WARM_UP_PART, type Bench } from './measures.js';
import type { ToggledServer } from './toggled-server.js';
import { WorkerProcess } from './worker-process.js';

const AUTHENTICATION_MOST = 1.25;
const SIGN_INS = 50;
const SIGN_INS_MOST = 5;
/** Readers beside the burst: as few as leave the event loop idle between their requests. */
const READERS = 4;
const BURST_SECONDS_MIN = 0.5;

/** A month's URL, and a load of one reader after the other on it. */
function monthLoad({ households }: Bench, url: string, connections: number): Omit<Load, 'seconds'> {
  const { token, many } = households;
  return { url: `${url}/v1/months/2000-01`, token, connections, householdIds: [many[0]!] };
}

/** A month read with and without authentication, in one process; no other server may be running. */
export async function authenticationAgainstNone(bench: Bench): Promise<Figure> {
  const { directory, load, sizes, progress } = bench;
  const server = WorkerProcess.start<ToggledServer>('toggled-server.js');
  const month = monthLoad(bench, await server.call('listen', directory), 1);
  const medianMs = async (authenticates: boolean, seconds: number): Promise<number> => {
    await server.call('authenticate', authenticates);
    return (await load.call('run', { ...month, seconds })).medianMs;
  };
  for (const authenticates of [true, false]) await medianMs(authenticates, sizes.seconds * WARM_UP_PART);
  const rounds: Round[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    const value = await medianMs(true, sizes.seconds);
    const floor = await medianMs(false, sizes.seconds);
    rounds.push({ value, floor });
    progress(`month with : without authentication: ${value.toFixed(3)} : ${floor.toFixed(3)} ms`);
  }
  await server.call('stop', undefined);
  await server.stop();
  return atMost('GET /months/{month} with : without authentication, ms', rounds, AUTHENTICATION_MOST);
}

/** The slowest reads of a month while 50 people sign in at once, against the slowest when nobody does. */
export async function readsDuringSignIns(bench: Bench, server: LedgerServer): Promise<Figure> {
  const { load, sizes, progress } = bench;
  const month = monthLoad(bench, server.url, READERS);
  const burst = async (): Promise<number> => {
    const begun = performance.now();
    const signIn = (turn: number): Promise<string> => {
      const body = { ...CREDENTIALS[turn % CREDENTIALS.length], client: 'mobile' };
      return server.call('POST', '/auth/password/sign-in', { body });
    };
    await Promise.all(Array.from({ length: SIGN_INS }, (_, turn) => signIn(turn)));
    return (performance.now() - begun) / 1000;
  };
  // Reads are measured for no longer than a burst lasts without them.
  const seconds = Math.max(BURST_SECONDS_MIN, await burst());
  await load.call('run', { ...month, seconds });
  const rounds: Round[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    const { p99Ms: floor } = await load.call('run', { ...month, seconds });
    const [{ p99Ms: value }] = await Promise.all([load.call('run', { ...month, seconds }), burst()]);
    rounds.push({ value, floor });
    progress(`month during sign-ins : idle, p99: ${value.toFixed(2)} : ${floor.toFixed(2)} ms`);
  }
  return atMost(`GET /months/{month} during ${SIGN_INS} sign-ins : idle, p99, ms`, rounds, SIGN_INS_MOST);
}
