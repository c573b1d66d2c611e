import {
  Server,
  ServerCredentials,
  status,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { notLeader, streamDeleted, wrongRevision, type Fault } from './faults.js';
import { MemoryLog, NONE, type ProposedRecord } from './memory-log.js';
import { ReadCall } from './read-call.js';

type AppendReq = InstanceType<typeof streams.AppendReq>;
type AppendResp = InstanceType<typeof streams.AppendResp>;
type TombstoneReq = InstanceType<typeof streams.TombstoneReq>;
type TombstoneResp = InstanceType<typeof streams.TombstoneResp>;
type ReadReq = InstanceType<typeof streams.ReadReq>;
type ReadResp = InstanceType<typeof streams.ReadResp>;
type ClusterInfo = InstanceType<typeof gossip.ClusterInfo>;
type SupportedMethods = InstanceType<typeof features.SupportedMethods>;
type Empty = InstanceType<typeof shared.Empty>;

/** One call that the fake has received. */
interface SeenCall {
  readonly method: 'append' | 'read' | 'subscribe';
  readonly requiresLeader: boolean;
}

/**
 * EventStoreDB's streams service on loopback, built from the service definitions that the client ships. It proves
 * how the adapter behaves towards a server that fails in ways which a real one shows rarely; what appends mean is
 * `MemoryLog`'s copy of the server's rules.
 */
export class StreamsServiceFake {
  /** Each append, read or subscription takes the first of its own. */
  readonly faults = {
    append: [] as Fault[],
    read: [] as Fault[],
    subscribe: [] as Fault[],
    gossip: [] as Fault[],
  };
  /** Every call, in the order of arrival. */
  readonly calls: SeenCall[] = [];
  /** What no adapter may do; empty in every test. */
  readonly violations: string[] = [];
  private disconnections = 0;
  readonly openReads = new Set<ReadCall>();
  /** Ports of the nodes that gossip names, the leader first; this node alone when empty. */
  members: number[] = [];
  /** Set: this node does not lead, and names the one that does. */
  leaderPort: number | undefined;
  /** Subscriptions get every event twice. */
  duplicates = false;
  /** A subscription's checkpoint comes after this many records of other streams. */
  checkpointEvery = 1_024;
  /** Waited for before each event of a read. */
  beforeEvent: (() => Promise<void>) | undefined;
  private server: Server | undefined;
  private boundPort = 0;

  constructor(readonly log: MemoryLog = new MemoryLog()) {}

  static async start(log?: MemoryLog): Promise<StreamsServiceFake> {
    const fake = new StreamsServiceFake(log);
    await fake.listen();
    return fake;
  }

  get port(): number {
    return this.boundPort;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.boundPort}?tls=false`;
  }

  /** On a free port; after `kill()`, on the same one as before. */
  async listen(): Promise<void> {
    const server = new Server();
    server.addService(StreamsService, {
      read: (call: ServerWritableStream<ReadReq, ReadResp>) => void this.read(call),
      append: (call: ServerReadableStream<AppendReq, AppendResp>, answer: sendUnaryData<AppendResp>) =>
        this.append(call, answer),
      batchAppend: (call: { end(): void }) => {
        this.violations.push('batch append');
        call.end();
      },
      delete: (_call: unknown, answer: sendUnaryData<never>) => answer(UNIMPLEMENTED),
      tombstone: (call: ServerUnaryCall<TombstoneReq, TombstoneResp>, answer: sendUnaryData<TombstoneResp>) =>
        this.tombstone(call.request.getOptions()!, answer),
    });
    // As servers do, it offers what this adapter must not use.
    server.addService(ServerFeaturesService, {
      getSupportedMethods: (_call: unknown, answer: sendUnaryData<SupportedMethods>) =>
        answer(null, BATCH_APPEND),
    });
    server.addService(GossipService, {
      read: (_call: ServerUnaryCall<Empty, ClusterInfo>, answer: sendUnaryData<ClusterInfo>) =>
        this.gossip(answer),
    });
    this.boundPort = await new Promise<number>((resolve, reject) => {
      const address = `127.0.0.1:${this.boundPort}`;
      server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
        if (error) reject(error);
        else resolve(port);
      });
    });
    this.server = server;
  }

  /** As SIGKILL does: connections break, what was committed stays. */
  kill(): void {
    this.server?.forceShutdown();
    this.server = undefined;
    for (const read of this.openReads) read.forget();
  }

  /** Breaks every connection; new ones are taken. */
  disconnect(): void {
    this.disconnections += 1;
    this.server?.drain(`127.0.0.1:${this.boundPort}`, 0);
  }

  /** The subscriptions that are open. */
  subscriptions(): ReadCall[] {
    return [...this.openReads].filter(read => read.isSubscription);
  }

  private append(call: ServerReadableStream<AppendReq, AppendResp>, answer: sendUnaryData<AppendResp>): void {
    this.saw('append', call.metadata.get('requires-leader'));
    const requests: AppendReq[] = [];
    const { disconnections } = this;
    call.on('error', () => undefined);
    call.on('data', (request: AppendReq) => requests.push(request));
    call.on('end', () => {
      // The client gave up half-way, or its connection broke there: the server commits nothing.
      if (call.cancelled || disconnections !== this.disconnections) return;
      const fault = this.nextFault('append');
      if (fault && !fault.afterCommit) this.fail(fault, answer);
      else {
        const response = this.commit(requests);
        if (response === null) this.fail(streamDeleted(streamOfAppend(requests)), answer);
        else if (fault) this.fail(fault, answer);
        else answer(null, response);
      }
    });
  }

  private tombstone(
    options: InstanceType<typeof streams.TombstoneReq.Options>,
    answer: sendUnaryData<TombstoneResp>,
  ): void {
    const stream = nameOf(options.getStreamIdentifier()!);
    const expected = options.hasRevision() ? Number(options.getRevision()) : NONE;
    const decision = this.log.tombstone(stream, expected);
    if (decision.kind === 'appended') answer(null, new streams.TombstoneResp());
    else if (decision.kind === 'tombstoned') this.fail(streamDeleted(stream), answer);
    else this.fail(wrongRevision(stream, expected, decision.actual), answer);
  }

  /** Null for a stream that was deleted for good. */
  private commit([header, ...proposals]: readonly AppendReq[]): AppendResp | null {
    const options = header!.getOptions()!;
    const stream = nameOf(options.getStreamIdentifier()!);
    if (!options.hasRevision() && !options.hasNoStream()) this.violations.push('append at any revision');
    if (proposals.length === 0) this.violations.push('empty append');
    const expected = options.hasRevision() ? Number(options.getRevision()) : NONE;
    const decision = this.log.append(stream, expected, proposals.map(toProposedRecord));
    if (decision.kind === 'tombstoned') return null;
    if (decision.kind === 'appended') {
      const position = new streams.AppendResp.Position()
        .setCommitPosition(String(decision.position))
        .setPreparePosition(String(decision.position));
      const success = new streams.AppendResp.Success()
        .setCurrentRevision(String(decision.revision))
        .setPosition(position);
      return new streams.AppendResp().setSuccess(success);
    }
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (expected === NONE) wrong.setExpectedNoStream(new shared.Empty());
    else wrong.setExpectedRevision(String(expected));
    if (decision.actual === NONE) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(decision.actual));
    return new streams.AppendResp().setWrongExpectedVersion(wrong);
  }

  private async read(call: ServerWritableStream<ReadReq, ReadResp>): Promise<void> {
    const read = new ReadCall(call, this.log, this);
    this.saw(read.isSubscription ? 'subscribe' : 'read', call.metadata.get('requires-leader'));
    this.openReads.add(read);
    call.on('close', () => this.openReads.delete(read));
    const fault = this.nextFault(read.isSubscription ? 'subscribe' : 'read');
    if (fault) this.fail(fault, error => read.fail(error));
    else await read.run();
  }

  private gossip(answer: sendUnaryData<ClusterInfo>): void {
    const fault = this.faults.gossip.shift();
    if (fault) {
      this.fail(fault, answer);
      return;
    }
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
    const members = (this.members.length > 0 ? this.members : [this.boundPort]).map((port, index) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString('00000000-0000-4000-8000-000000000000'))
        .setTimeStamp('0')
        .setIsAlive(true)
        .setState(index === 0 ? LEADER : FOLLOWER)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port)),
    );
    answer(null, new gossip.ClusterInfo().setMembersList(members));
  }

  private fail(fault: Fault, answer: (error: ServiceError) => void): void {
    if (fault.kind === 'error') answer(fault.error);
    if (fault.kind === 'disconnect') this.disconnect();
  }

  private nextFault(method: SeenCall['method']): Fault | undefined {
    return this.leaderPort === undefined ? this.faults[method].shift() : notLeader(this.leaderPort);
  }

  private saw(method: SeenCall['method'], requiresLeader: readonly unknown[]): void {
    this.calls.push({ method, requiresLeader: requiresLeader[0] === 'true' });
  }
}

const BATCH_APPEND = new features.SupportedMethods()
  .setEventStoreServerVersion('23.10.8')
  .setMethodsList([
    new features.SupportedMethod()
      .setServiceName('event_store.client.streams.streams')
      .setMethodName('batchappend'),
  ]);

const UNIMPLEMENTED = { code: status.UNIMPLEMENTED, details: 'The fake does not do this' };

function nameOf(identifier: InstanceType<typeof shared.StreamIdentifier>): string {
  return Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
}

function streamOfAppend([header]: readonly AppendReq[]): string {
  return nameOf(header!.getOptions()!.getStreamIdentifier()!);
}

function toProposedRecord(request: AppendReq): ProposedRecord {
  const message = request.getProposedMessage()!;
  const names = message.getMetadataMap();
  return {
    id: message.getId()!.getString(),
    type: names.get('type') ?? '',
    contentType: names.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}
