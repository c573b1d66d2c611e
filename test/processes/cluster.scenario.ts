import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawDatabase, dropDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod } from '#test-servers/mongod-server';
import { hasRedisServer, startRedis } from '#test-servers/redis-server';
import { LedgerProcess } from '../ledger-process.js';
import { SHARED_ENVIRONMENT } from './budget.scenario.js';
import { startEventStore } from './event-store-server.scenario.js';

/** The servers that several processes share: those that the environment names, else some of our own. */
export class Servers {
  private readonly closers: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly eventStoreUrl: string,
    readonly mongodbUrl: string,
    readonly redisUrl: string,
  ) {}

  /** Without a real event store the fake does: it serves any number of processes. */
  static async start(): Promise<Servers> {
    const closers: (() => Promise<unknown>)[] = [];
    const { EVENTSTORE_URL, MONGODB_URL, REDIS_URL } = process.env;
    try {
      const eventStoreUrl = EVENTSTORE_URL || (await eventStore(closers));
      const mongodbUrl = MONGODB_URL ? given(MONGODB_URL, closers) : await mongod(closers);
      const servers = new Servers(eventStoreUrl, mongodbUrl, REDIS_URL || (await redis(closers)));
      servers.closers.push(...closers);
      return servers;
    } catch (error) {
      await closeAll(closers);
      throw error;
    }
  }

  get environment(): Readonly<Record<string, string>> {
    const { eventStoreUrl, mongodbUrl, redisUrl } = this;
    return {
      ...SHARED_ENVIRONMENT,
      EVENTSTORE_URL: eventStoreUrl,
      MONGODB_URL: mongodbUrl,
      REDIS_URL: redisUrl,
      LOG_LEVEL: 'info',
    };
  }

  async stop(): Promise<void> {
    await closeAll(this.closers);
  }
}

/** API processes and projectors on the same servers, and one folder for the mails of all. */
export class Cluster {
  readonly directory = mkdtempSync(join(tmpdir(), 'cluster-'));
  readonly apis: LedgerProcess[] = [];
  readonly projectors: LedgerProcess[] = [];

  private constructor(readonly servers: Servers) {}

  static async start(size: { readonly apis: number; readonly projectors: number }): Promise<Cluster> {
    const cluster = new Cluster(await Servers.start());
    try {
      for (let n = 0; n < size.apis; n++) cluster.apis.push(await cluster.process('api'));
      for (let n = 0; n < size.projectors; n++) await cluster.addProjector();
      for (const process of [...cluster.apis, ...cluster.projectors]) await process.ready();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async addProjector(): Promise<LedgerProcess> {
    const projector = await this.process('projector');
    this.projectors.push(projector);
    return projector;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.apis, ...this.projectors].map(process => process.end('SIGKILL')));
    await this.servers.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private process(app: 'api' | 'projector'): Promise<LedgerProcess> {
    const { directory, servers } = this;
    return LedgerProcess.start({ directory, app, environment: servers.environment });
  }
}

/** Whether every server is named or can be started. Where not, prints the line that `npm test` repeats. */
export function canStartServers(): boolean {
  const hasRedis = Boolean(process.env['REDIS_URL']) || hasRedisServer();
  if (!hasRedis) console.log('SKIPPED: tests of several processes: redis-server is not on the PATH');
  return hasRedis && (Boolean(process.env['MONGODB_URL']) || canStartMongod());
}

async function eventStore(closers: (() => Promise<unknown>)[]): Promise<string> {
  const store = await startEventStore();
  closers.push(() => store.stop());
  return store.url;
}

/** A database of our own on a server that others use as well. */
function given(url: string, closers: (() => Promise<unknown>)[]): string {
  const own = urlOfDatabase(url, drawDatabase());
  closers.push(() => dropDatabase(own));
  return own;
}

async function mongod(closers: (() => Promise<unknown>)[]): Promise<string> {
  const server = await startMongod({ replicaSet: true });
  if (server === null) throw new Error('mongod did not start');
  closers.push(() => server.stop());
  return urlOfDatabase(server.url, drawDatabase());
}

async function redis(closers: (() => Promise<unknown>)[]): Promise<string> {
  const server = await startRedis();
  closers.push(() => server.stop());
  return server.url;
}

async function closeAll(closers: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
