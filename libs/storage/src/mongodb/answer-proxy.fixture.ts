import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Where a connection breaks: before the server gets the command, or before the client gets the answer. */
export type Loss = 'command' | 'answer';

/** Stands between a client and a server, and breaks a connection or holds a command up when it is told to. */
export class AnswerProxy {
  /** How often connections were broken. */
  losses = 0;
  private next: { readonly command: Buffer; readonly loss: Loss } | undefined;
  private held: { readonly command: Buffer; readonly arrived: (letGo: () => void) => void } | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', socket => this.relay(socket));
  }

  /** @param target the server's port on loopback */
  static async start(target: number): Promise<AnswerProxy> {
    const server = createServer();
    const proxy = new AnswerProxy(server, target);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks the connection on which the next such command comes. @param command its name, such as `update` */
  loseNext(command: string, loss: Loss): void {
    this.next = { command: Buffer.from(`${command}\0`), loss };
  }

  /** Holds the next such command up. @returns when it has come, a function that lets it go on to the server */
  holdNext(command: string): Promise<() => void> {
    return new Promise(arrived => {
      this.held = { command: Buffer.from(`${command}\0`), arrived };
    });
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private hold(data: Buffer, client: Socket, server: Socket): void {
    const { arrived } = this.held!;
    this.held = undefined;
    client.pause();
    arrived(() => {
      server.write(data);
      client.resume();
    });
  }

  private relay(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    let losesAnswer = false;
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    const lose = (): void => {
      this.losses += 1;
      end();
    };
    client.on('data', data => {
      const { next } = this;
      const isHit = next !== undefined && data.includes(next.command);
      if (isHit) this.next = undefined;
      if (isHit && next.loss === 'command') return lose();
      losesAnswer ||= isHit;
      if (this.held !== undefined && data.includes(this.held.command)) return this.hold(data, client, server);
      server.write(data);
    });
    server.on('data', data => {
      if (losesAnswer) lose();
      else client.write(data);
    });
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
  }
}
