import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Relays connections to a port on loopback, and can hold everything that is on the way. */
export class Link {
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
