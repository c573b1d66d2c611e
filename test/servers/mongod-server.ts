import { MongoClient, type Document } from 'mongodb';
import { serverOnPath } from './server-on-path.js';
import { ServerProcess, startOnFreePort, type ServerPlace } from './server-process.js';

interface MongodOptions {
  /** Whether it is a replica set of one member, or a standalone server. */
  readonly replicaSet: boolean;
  /** With access control; the first user is made through the exception for loopback. */
  readonly auth?: boolean;
}

const PROGRAM = 'mongod';
const REPLICA_SET = 'rs0';
const ANSWER_MS_MAX = 6_000;
const COMMITTED_NOTE = {
  appendOplogNote: 1,
  data: { ready: true },
  writeConcern: { w: 'majority', j: true },
};

/**
 * Starts a server where `mongod` is on the PATH.
 * @returns null where it is not
 */
export async function startMongod(options: MongodOptions): Promise<MongodServer | null> {
  const program = serverOnPath(PROGRAM);
  if (program === null) return null;
  return startOnFreePort(port => new MongodServer({ program, port }, options));
}

/** Whether a server can be started here. Where not, prints the one line that `npm test` repeats at its end. */
export function canStartMongod(): boolean {
  if (serverOnPath(PROGRAM) !== null) return true;
  console.log('SKIPPED: tests on a real MongoDB: mongod is not on the PATH');
  return false;
}

/** A real MongoDB. */
export class MongodServer extends ServerProcess {
  /** Without a database. */
  readonly url: string;
  private isInitiated = false;

  constructor(
    place: ServerPlace,
    private readonly options: MongodOptions,
  ) {
    super(place);
    this.url = `mongodb://127.0.0.1:${place.port}/${options.replicaSet ? `?replicaSet=${REPLICA_SET}` : ''}`;
  }

  /** Runs a command on it, directly. */
  async command(command: Document, database = 'admin'): Promise<Document> {
    const client = new MongoClient(`mongodb://127.0.0.1:${this.port}/?directConnection=true`, {
      serverSelectionTimeoutMS: ANSWER_MS_MAX,
    });
    try {
      return await client.db(database).command(command);
    } finally {
      await client.close();
    }
  }

  protected override arguments(): string[] {
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

  /** Whether it takes writes. */
  protected override async isReady(): Promise<boolean> {
    const { isWritablePrimary, ismaster } = await this.command({ isMaster: 1 });
    // Asked first: it may have been initiated by a command whose answer was lost, and refuses a second one.
    if (isWritablePrimary === true || ismaster === true) {
      // One that is killed before its first election is on disk may never become primary again.
      if (this.options.replicaSet) await this.command(COMMITTED_NOTE);
      return true;
    }
    if (this.options.replicaSet && !this.isInitiated) await this.initiate();
    return false;
  }

  private async initiate(): Promise<void> {
    const members = [{ _id: 0, host: `127.0.0.1:${this.port}` }];
    await this.command({ replSetInitiate: { _id: REPLICA_SET, members } });
    this.isInitiated = true;
  }
}
