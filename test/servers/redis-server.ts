import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { serverOnPath } from './server-on-path.js';
import { ServerProcess, startOnFreePort, type ServerPlace } from './server-process.js';

export const REDIS_PASSWORD = 's3cret-of-redis';

const PROGRAM = 'redis-server';
const ANSWER_MS_MAX = 2_000;

/** Whether Debian's `redis-server`, or another, is on the PATH. */
export function hasRedisServer(): boolean {
  return serverOnPath(PROGRAM) !== null;
}

/** Starts a server. @throws Error where `redis-server` is not on the PATH */
export async function startRedis(): Promise<RedisServer> {
  return startOnFreePort(port => new RedisServer({ program: program(), port }));
}

/** A server that is yet to be started, but has its port. @throws Error where `redis-server` is not on the PATH */
export async function prepareRedis(): Promise<RedisServer> {
  return new RedisServer({ program: program(), port: await freePort() });
}

/** A real Redis with a password, which keeps every write. */
export class RedisServer extends ServerProcess {
  readonly url: string;

  constructor(place: ServerPlace) {
    super(place);
    this.url = `redis://:${REDIS_PASSWORD}@127.0.0.1:${place.port}`;
  }

  protected override arguments(): string[] {
    const options = {
      port: String(this.port),
      bind: '127.0.0.1',
      requirepass: REDIS_PASSWORD,
      dir: this.directory,
      appendonly: 'yes',
      appendfsync: 'always',
      save: '',
    };
    return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  }

  protected override async isReady(): Promise<boolean> {
    const client = new Redis(this.url, {
      lazyConnect: true,
      connectTimeout: ANSWER_MS_MAX,
      commandTimeout: ANSWER_MS_MAX,
      retryStrategy: () => null,
    });
    // Said by the promise too; without a listener it goes to standard error.
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.ping()) === 'PONG';
    } finally {
      client.disconnect();
    }
  }
}

function program(): string {
  const path = serverOnPath(PROGRAM);
  if (path === null) throw new Error(`${PROGRAM} is not on the PATH`);
  return path;
}
