import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { StreamsServiceFake } from '#event-store/eventstoredb/fake/streams-service-fake';
import { startEventStoreDb } from '#event-store/eventstoredb/real-server';

/** An event store that a test takes away and gives back. */
export interface EventStoreServer {
  readonly url: string;
  /** As SIGKILL does: what was committed stays. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** It takes connections and answers nothing. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}

/** The fake behind a link of its own; its faults are the test's to set. */
export class FakeEventStore implements EventStoreServer {
  private constructor(
    readonly fake: StreamsServiceFake,
    private readonly link: Link,
  ) {}

  static async start(): Promise<FakeEventStore> {
    const fake = await StreamsServiceFake.start();
    return new FakeEventStore(fake, await Link.to(fake.port));
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.link.port}?tls=false`;
  }

  async kill(): Promise<void> {
    this.fake.kill();
    await this.link.close();
  }

  async restart(): Promise<void> {
    await this.fake.listen();
    await this.link.listen();
  }

  async freeze(): Promise<void> {
    this.link.hold();
  }

  async thaw(): Promise<void> {
    this.link.release();
  }

  async stop(): Promise<void> {
    this.fake.kill();
    await this.link.close();
  }
}

/** A real server; null where none can be started here. */
export async function realEventStore(): Promise<EventStoreServer | null> {
  const server = await startEventStoreDb();
  return (
    server && {
      url: server.url,
      kill: () => server.kill('SIGKILL'),
      restart: () => server.restart(),
      freeze: () => server.kill('SIGSTOP'),
      thaw: () => server.kill('SIGCONT'),
      stop: () => server.stop(),
    }
  );
}

/** Relays connections to a port on loopback, and can hold everything that is on the way. */
class Link {
  port = 0;
  private held = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', socket => this.relay(socket));
  }

  static async to(target: number): Promise<Link> {
    const link = new Link(createServer({ pauseOnConnect: true }), target);
    await link.listen();
    return link;
  }

  /** On a free port; after `close()`, on the same one as before. */
  async listen(): Promise<void> {
    await new Promise<void>(resolve => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  hold(): void {
    this.held = true;
    for (const socket of this.sockets) socket.pause();
  }

  release(): void {
    this.held = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Breaks every connection and takes no new ones. */
  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private relay(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    const pair = [client, server] as const;
    for (const [from, to] of [pair, [server, client] as const]) {
      this.sockets.add(from);
      from.on('data', data => void to.write(data));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.held) from.pause();
      else from.resume();
    }
  }
}
