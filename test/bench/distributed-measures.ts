import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { EventStoreDbEventStore } from '#storage/eventstoredb/eventstoredb-event-store';
import { STREAM_PREFIX } from '#engine/households/household-stream';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { startEventStoreDb } from '#test-servers/eventstoredb-server';
import { startMongod } from '#test-servers/mongod-server';
import { hasRedisServer, startRedis } from '#test-servers/redis-server';
import type { BareClient } from './bare-client.js';
import { postTarget, signUp, type Sizes } from './bench-households.js';
import { atLeast, type Figure, type Round } from './figures.js';
import { appendHistory } from './history.js';
import { LedgerServer } from './ledger-server.js';
import type { LoadGenerator, PostTarget } from './load-generator.js';
import { CONNECTIONS, type Bench } from './measures.js';
import type { ServerProjector } from './server-projector.js';
import { WorkerProcess } from './worker-process.js';

const POST_LEAST = 0.5;
const CATCH_UP_LEAST = 0.25;
const MONTH = '2000-01';
/** Before its rounds each side runs so many times as long as in one: the servers compile or cache what they run, too. */
const WARM_UP_ROUNDS = 3;

interface Servers {
  readonly eventStoreUrl: string;
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  stop(): Promise<void>;
}

/** Fresh ones; null, and a line that says so, where they cannot be started here. */
async function startServers(progress: Bench['progress']): Promise<Servers | null> {
  const eventStore = await startEventStoreDb();
  const mongod = await startMongod({ replicaSet: true });
  if (eventStore === null || mongod === null || !hasRedisServer()) {
    progress('SKIPPED: the distributed stores: eventstored, mongod or redis-server is not on the PATH');
    await Promise.all([eventStore?.stop(), mongod?.stop()]);
    return null;
  }
  const redis = await startRedis();
  return {
    eventStoreUrl: eventStore.url,
    mongodbUrl: urlOfDatabase(mongod.url, drawDatabase()),
    redisUrl: redis.url,
    stop: async () => void (await Promise.all([eventStore.stop(), mongod.stop(), redis.stop()])),
  };
}

/** `POST /transactions` at an API process against bare clients of the same servers, in turn. */
async function postsOnServers(
  directory: string,
  sizes: Sizes,
  progress: Bench['progress'],
): Promise<Figure[]> {
  const servers = await startServers(progress);
  if (servers === null) return [];
  mkdirSync(directory, { recursive: true });
  const { eventStoreUrl, mongodbUrl, redisUrl } = servers;
  const environment = {
    EVENTSTORE_URL: eventStoreUrl,
    MONGODB_URL: mongodbUrl,
    REDIS_URL: redisUrl,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ALLOWED_EMAILS: '*',
  };
  const api = await LedgerServer.start(directory, { app: 'api', environment });
  // It mails the links. Writes do without it, and the bare client has nothing like it.
  const projector = await LedgerServer.start(directory, { app: 'projector', environment });
  await projector.ready();
  const { token, many } = await signUp(api, directory, sizes);
  await projector.stop();
  const posts: PostTarget[] = [];
  for (const householdId of many) {
    await api.call('POST', `/months/${MONTH}`, { token, householdId });
    posts.push(await postTarget(api, token, householdId));
  }
  const load = WorkerProcess.start<LoadGenerator>('load-generator.js');
  const bare = WorkerProcess.start<BareClient>('bare-client.js');
  const url = `${api.url}/v1/transactions`;
  const ours = async (seconds: number): Promise<number> =>
    (await load.call('run', { url, token, connections: CONNECTIONS, posts, seconds })).perSecond;
  const theirs = (seconds: number): Promise<number> =>
    bare.call('write', { eventStoreUrl, mongodbUrl, connections: CONNECTIONS, seconds });
  const rounds: Round[] = [];
  for (const side of [ours, theirs]) await side(sizes.seconds * WARM_UP_ROUNDS);
  for (let round = 0; round < sizes.rounds; round++) {
    const value = await ours(sizes.seconds);
    const floor = await theirs(sizes.seconds);
    rounds.push({ value, floor });
    progress(`post on servers: ${value.toFixed(0)} : ${floor.toFixed(0)}`);
  }
  await Promise.all([load.stop(), bare.stop(), api.stop()]);
  await servers.stop();
  return [atLeast('POST /transactions on EventStoreDB and MongoDB, requests/s', rounds, POST_LEAST)];
}

/** Projecting a whole log into an empty MongoDB against a subscription that counts, in turn. */
async function catchUpOnServers(sizes: Sizes, progress: Bench['progress']): Promise<Figure[]> {
  const servers = await startServers(progress);
  if (servers === null) return [];
  const { eventStoreUrl, mongodbUrl } = servers;
  const store = EventStoreDbEventStore.open({ url: eventStoreUrl });
  const householdIds = Array.from({ length: 50 }, () => ulid());
  const eventsPerHousehold = Math.round(sizes.serverLogEvents / householdIds.length);
  const options = { householdIds, userId: ulid(), eventsPerHousehold, mix: 'mixed', months: 12 } as const;
  const events = await appendHistory(store, options);
  await store.close();
  progress(`log of ${events} events made on the server`);
  const bare = WorkerProcess.start<BareClient>('bare-client.js');
  const follow = (): Promise<number> => bare.call('follow', { eventStoreUrl, prefix: STREAM_PREFIX, events });
  const projector = WorkerProcess.start<ServerProjector>('server-projector.js');
  const project = (): Promise<number> => {
    const intoNothing = urlOfDatabase(mongodbUrl, drawDatabase());
    return projector.call('project', { eventStoreUrl, mongodbUrl: intoNothing, events });
  };
  const rounds: Round[] = [];
  for (const side of [follow, project]) await side();
  for (let round = 0; round < sizes.rounds; round++) {
    const floor = await follow();
    const value = await project();
    rounds.push({ value, floor });
    progress(`projected on servers: ${value.toFixed(0)} : ${floor.toFixed(0)} events/s`);
  }
  await Promise.all([bare.stop(), projector.stop()]);
  await servers.stop();
  const name = `Projecting ${sizes.serverLogEvents.toLocaleString('en-US')} events on servers, events/s`;
  return [atLeast(name, rounds, CATCH_UP_LEAST)];
}

/** Everything on EventStoreDB, MongoDB and Redis; nothing where they cannot be started. */
export async function onServers(
  directory: string,
  sizes: Sizes,
  progress: Bench['progress'],
): Promise<Figure[]> {
  return [
    ...(await postsOnServers(join(directory, 'api'), sizes, progress)),
    ...(await catchUpOnServers(sizes, progress)),
  ];
}
