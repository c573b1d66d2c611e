import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Document } from 'mongodb';

/** A mongod that a test has started: on loopback, on a free port, with its data in a temporary directory. */
export interface RealMongod {
  /** Without a database. */
  readonly url: string;
  readonly port: number;
  /** SIGKILL ends it as a crash does; another signal is merely sent. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Freezes it: it takes connections and answers nothing. */
  pause(): void;
  resume(): void;
  /** Starts it again, on its data and at its port, and waits until it takes writes. */
  restart(): Promise<void>;
  /** Runs a command on it, directly. */
  command(command: Document, database?: string): Promise<Document>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface RealMongodOptions {
  /** Whether it is a replica set of one member, or a standalone server. */
  readonly replicaSet: boolean;
  /** With access control; the first user is made through the exception for loopback. */
  readonly auth?: boolean;
}

const PROGRAM = 'mongod';
const REPLICA_SET = 'rs0';
const READY_MS_MAX = 60_000;
const READY_POLL_MS = 50;

/**
 * Starts a server where `mongod` is on the PATH.
 * @returns null where it is not
 */
export async function startMongod(options: RealMongodOptions): Promise<RealMongod | null> {
  const program = findProgram();
  if (program === null) return null;
  const directory = await mkdtemp(join(tmpdir(), 'ledger-mongod-'));
  const server = new StartedMongod(program, directory, await freePort(), options);
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/** Whether a server can be started here. Where not, prints the one line that `npm test` repeats at its end. */
export function canStartMongod(): boolean {
  if (findProgram() !== null) return true;
  console.log('SKIPPED: tests on a real MongoDB: mongod is not on the PATH');
  return false;
}

/** A name for a database that no other run uses. */
export function drawDatabase(): string {
  return `ledger_test_${randomBytes(8).toString('hex')}`;
}

/** The URL with another database, for the same user. */
export function urlOfDatabase(url: string, database: string): string {
  const [, base = url, former = '', query = ''] =
    /^([^/]+\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url) ?? [];
  const options = query === '' ? [] : query.split('&');
  const authenticates = base.includes('@') && !options.some(option => /^authSource=/i.test(option));
  if (authenticates) options.push(`authSource=${former === '' ? 'admin' : former}`);
  return `${base}/${database}${options.length === 0 ? '' : `?${options.join('&')}`}`;
}

/** Removes the database that the URL names. */
export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}

class StartedMongod implements RealMongod {
  readonly url: string;
  private process: ChildProcess | undefined;
  private isInitiated = false;

  constructor(
    private readonly program: string,
    private readonly directory: string,
    readonly port: number,
    private readonly options: RealMongodOptions,
  ) {
    this.url = `mongodb://127.0.0.1:${port}/${options.replicaSet ? `?replicaSet=${REPLICA_SET}` : ''}`;
  }

  async start(): Promise<void> {
    const child = spawn(this.program, this.arguments(), { stdio: 'ignore' });
    child.once('exit', () => {
      if (this.process === child) this.process = undefined;
    });
    // Whatever ends the tests, the server goes with them.
    process.once('exit', this.killNow);
    this.process = child;
    await this.until(() => this.command({ ping: 1 }));
    if (!this.options.replicaSet) return;
    if (!this.isInitiated) {
      const members = [{ _id: 0, host: `127.0.0.1:${this.port}` }];
      await this.command({ replSetInitiate: { _id: REPLICA_SET, members } });
      this.isInitiated = true;
    }
    await this.until(async () => {
      const { isWritablePrimary, ismaster } = await this.command({ isMaster: 1 });
      if (isWritablePrimary !== true && ismaster !== true) throw new Error('not primary yet');
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.process;
    if (child === undefined) return;
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
    child.kill(signal);
    await ended;
    process.removeListener('exit', this.killNow);
  }

  pause(): void {
    this.process?.kill('SIGSTOP');
  }

  resume(): void {
    this.process?.kill('SIGCONT');
  }

  async restart(): Promise<void> {
    await this.kill('SIGKILL');
    await this.start();
  }

  async command(command: Document, database = 'admin'): Promise<Document> {
    const client = new MongoClient(`mongodb://127.0.0.1:${this.port}/?directConnection=true`, {
      serverSelectionTimeoutMS: READY_MS_MAX / 10,
    });
    try {
      return await client.db(database).command(command);
    } finally {
      await client.close();
    }
  }

  async stop(): Promise<void> {
    await this.kill('SIGKILL');
    await rm(this.directory, { recursive: true, force: true });
  }

  private arguments(): string[] {
    const { replicaSet, auth } = this.options;
    return [
      `--dbpath=${this.directory}`,
      '--bind_ip=127.0.0.1',
      `--port=${this.port}`,
      '--nounixsocket',
      '--wiredTigerCacheSizeGB=0.25',
      '--setParameter=diagnosticDataCollectionEnabled=false',
      ...(replicaSet ? [`--replSet=${REPLICA_SET}`, '--oplogSize=64'] : []),
      ...(auth === true ? ['--auth'] : []),
    ];
  }

  /** Tries until it succeeds, while the server lives. */
  private async until(attempt: () => Promise<unknown>): Promise<void> {
    const deadline = performance.now() + READY_MS_MAX;
    for (;;) {
      try {
        await attempt();
        return;
      } catch (error) {
        if (this.process === undefined) throw new Error(`${PROGRAM} ended at its start`, { cause: error });
        if (performance.now() > deadline) throw error;
        await pause(READY_POLL_MS);
      }
    }
  }

  private readonly killNow = (): void => {
    this.process?.kill('SIGKILL');
  };
}

function findProgram(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  for (const folder of folders) {
    try {
      accessSync(join(folder, PROGRAM), constants.X_OK);
      return join(folder, PROGRAM);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>(resolve => server.close(() => resolve()));
  return port;
}
