import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

const OP_REPLY = 1;
const OP_QUERY = 2_004;
const OP_MSG = 2_013;
const HEADER_BYTES = 16;
const FLAGS_BYTES = 4;
const SKIP_AND_LIMIT_BYTES = 8;
const KIND_BYTES = 1;
/** Cursor, place and count in front of the documents of an old reply. */
const REPLY_FIELDS_BYTES = 20;

const HELLO: Document = {
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 9,
  ok: 1,
};

/** The answers to what `ensure` asks; nothing else is answered. */
const ANSWERS: Readonly<Record<string, Document>> = {
  hello: HELLO,
  ismaster: HELLO,
  isMaster: HELLO,
  listIndexes: { cursor: { id: BSON.Long.ZERO, ns: 'x.y', firstBatch: [] }, ok: 1 },
  createIndexes: { ok: 1 },
  endSessions: { ok: 1 },
};

/** Speaks so much of MongoDB's protocol that a client takes it for a server, and leaves every command unanswered. */
export class SilentMongod {
  /** Connections that wait for the answer to a command. */
  readonly waiting = new Set<Socket>();
  /** Names of the commands that were left unanswered. */
  readonly unanswered: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', socket => this.serve(socket));
  }

  static async start(): Promise<SilentMongod> {
    const server = createServer();
    const silent = new SilentMongod(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return silent;
  }

  get url(): string {
    return `mongodb://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.waiting.delete(socket);
    });
    socket.on('data', data => {
      received = Buffer.concat([received, data]);
      while (received.length >= HEADER_BYTES && received.length >= received.readInt32LE(0)) {
        const message = received.subarray(0, received.readInt32LE(0));
        received = received.subarray(message.length);
        this.answer(socket, message);
      }
    });
  }

  private answer(socket: Socket, message: Buffer): void {
    const opcode = message.readInt32LE(12);
    const command = BSON.deserialize(message.subarray(commandOffset(message, opcode)), {
      allowObjectSmallerThanBufferSize: true,
    });
    const name = Object.keys(command)[0] ?? '';
    const answer = ANSWERS[name];
    if (answer === undefined) {
      this.unanswered.push(name);
      this.waiting.add(socket);
      return;
    }
    socket.write(reply(message.readInt32LE(4), opcode, answer));
  }
}

/** Where the command stands in a message: behind the flags, and the collection's name in an old one. */
function commandOffset(message: Buffer, opcode: number): number {
  if (opcode === OP_MSG) return HEADER_BYTES + FLAGS_BYTES + KIND_BYTES;
  const endOfName = message.indexOf(0, HEADER_BYTES + FLAGS_BYTES);
  return endOfName + 1 + SKIP_AND_LIMIT_BYTES;
}

function reply(to: number, opcode: number, answer: Document): Buffer {
  const body = Buffer.from(BSON.serialize(answer));
  const fields = Buffer.alloc(opcode === OP_QUERY ? REPLY_FIELDS_BYTES : FLAGS_BYTES + KIND_BYTES);
  if (opcode === OP_QUERY) fields.writeInt32LE(1, REPLY_FIELDS_BYTES - FLAGS_BYTES);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + fields.length + body.length, 0);
  header.writeInt32LE(to, 8);
  header.writeInt32LE(opcode === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, fields, body]);
}
