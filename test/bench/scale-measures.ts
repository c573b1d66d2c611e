// Many small households on embedded stores: what each of them takes, from which docs/capacity.md reckons.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
import { signUp, type Sizes } from './bench-households.js';
import { bounded, reached, type Figure } from './figures.js';
import { appendHistory } from './history.js';
import { LedgerServer } from './ledger-server.js';

const TRANSACTIONS_EACH = 30;
/** Appends that share a commit. */
const AT_ONCE = 64;
const PER_CALL = 20;

/** Starts a server on a log of small households that was never projected, and once more when it is. */
export async function manySmallHouseholds(
  directory: string,
  sizes: Sizes,
  progress: (text: string) => void,
): Promise<Figure[]> {
  mkdirSync(directory, { recursive: true });
  const households = sizes.smallHouseholds;
  // No server starts on events without accounts.
  const first = await LedgerServer.start(directory);
  const { userId } = await signUp(first, directory, { ...sizes, households: 0 });
  await first.stop();
  const before = bytesIn(directory);
  const events = await appendSmall(directory, userId, households);
  const appended = bytesIn(directory);
  progress(`${households} households with ${events} events appended`);

  const catchUp = await timedStart(directory);
  const memory = catchUp.server.memory;
  await catchUp.server.stop();
  progress('projected');
  const projected = bytesIn(directory);
  const restart = await timedStart(directory);
  const restarted = restart.server.memory;
  await restart.server.stop();
  const each = (bytes: number): number => bytes / households / 1_024;
  const of = `${households} households of ${events / households} events`;
  return [
    reached(`scale: catching up, ${of} (events/s)`, events / (catchUp.seconds - restart.seconds), 2_000),
    bounded(`scale: start on these until ready (s)`, restart.seconds, 10, 's'),
    bounded('scale: events on disk, a household (KiB)', each(appended - before), 64, 'KiB'),
    bounded('scale: read models on disk, a household (KiB)', each(projected - appended), 64, 'KiB'),
    ...(memory === null ? [] : [bounded('scale: memory after catching up (MiB)', memory, 700, 'MiB')]),
    ...(restarted === null ? [] : [bounded('scale: memory after a start (MiB)', restarted, 400, 'MiB')]),
  ];
}

/** @returns how many events */
async function appendSmall(directory: string, userId: string, households: number): Promise<number> {
  const { eventStore: store } = LedgerDatabase.open({ directory });
  let left = households;
  let events = 0;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      const count = Math.min(PER_CALL, left);
      left -= count;
      const householdIds = Array.from({ length: count }, () => ulid());
      const each = { eventsPerHousehold: TRANSACTIONS_EACH, mix: 'created', months: 1 } as const;
      const appended = await appendHistory(store, { householdIds, userId, ...each });
      events += appended;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await store.close();
  return events;
}

async function timedStart(directory: string): Promise<{ server: LedgerServer; seconds: number }> {
  const begun = performance.now();
  const server = await LedgerServer.start(directory);
  await server.ready();
  return { server, seconds: (performance.now() - begun) / 1_000 };
}

/** Of a stopped server, which leaves nothing in logs. */
function bytesIn(directory: string): number {
  return statSync(join(directory, LEDGER_FILE)).size;
}
