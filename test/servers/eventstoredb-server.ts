import { connect } from 'node:net';
import { join } from 'node:path';
import { serverOnPath } from './server-on-path.js';
import { ServerProcess, startOnFreePort, type ServerPlace } from './server-process.js';

export interface EventStoreDbOptions {
  /** Files of a certificate; without them the server is insecure. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authorities: string };
  /** Bytes of one append. */
  readonly maxAppendSize?: number;
}

const READY_ANSWER_MS_MAX = 2_000;

/**
 * Starts a server where `eventstored` or `kurrentd` is on the PATH.
 * @returns null where neither is
 */
export async function startEventStoreDb(
  options: EventStoreDbOptions = {},
): Promise<EventStoreDbServer | null> {
  const program = findProgram();
  if (program === null) return null;
  return startOnFreePort(port => new EventStoreDbServer({ program, port }, options));
}

/** Whether a server can be started here. Where not, prints the one line that `npm test` repeats at its end. */
export function canStartEventStoreDb(): boolean {
  if (findProgram() !== null) return true;
  console.log('SKIPPED: tests on a real EventStoreDB: neither eventstored nor kurrentd is on the PATH');
  return false;
}

/** A real EventStoreDB. */
export class EventStoreDbServer extends ServerProcess {
  readonly url: string;

  constructor(
    place: ServerPlace,
    private readonly options: EventStoreDbOptions,
  ) {
    super(place);
    this.url = `esdb://127.0.0.1:${place.port}?tls=${options.tls !== undefined}`;
  }

  protected override arguments(): string[] {
    const { directory, port } = this;
    const { tls, maxAppendSize } = this.options;
    const security = tls
      ? [
          `--certificate-file=${tls.certificate}`,
          `--certificate-private-key-file=${tls.key}`,
          `--trusted-root-certificates-path=${tls.authorities}`,
        ]
      : ['--insecure'];
    return [
      ...security,
      '--node-ip=127.0.0.1',
      `--node-port=${port}`,
      `--db=${join(directory, 'db')}`,
      `--log=${join(directory, 'log')}`,
      // Sizes for a test: the defaults set hundreds of megabytes aside.
      '--stream-existence-filter-size=0',
      '--chunks-cache-size=0',
      ...(maxAppendSize === undefined ? [] : [`--max-append-size=${maxAppendSize}`]),
    ];
  }

  /** In the C locale: in some others, as the Turkish one, EventStoreDB does not know its own options. */
  protected override environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      LC_ALL: 'C',
      EVENTSTORE_TELEMETRY_OPTOUT: 'true',
      KURRENTDB_TELEMETRY_OPTOUT: 'true',
    };
  }

  protected override async isReady(): Promise<boolean> {
    if (this.options.tls) return acceptsConnections(this.port);
    // Whoever has taken the port may not answer at all.
    const signal = AbortSignal.timeout(READY_ANSWER_MS_MAX);
    const response = await fetch(`http://127.0.0.1:${this.port}/health/live`, { signal });
    return response.ok;
  }
}

function findProgram(): string | null {
  return serverOnPath('eventstored', 'kurrentd');
}

async function acceptsConnections(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    const settle = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
