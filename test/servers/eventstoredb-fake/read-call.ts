import type { ServerWritableStream, ServiceError } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { streamDeleted } from './faults.js';
import type { LogRecord, MemoryLog } from './memory-log.js';

type ReadReq = InstanceType<typeof streams.ReadReq>;
type ReadResp = InstanceType<typeof streams.ReadResp>;
type Options = InstanceType<typeof streams.ReadReq.Options>;

interface ReadCallSettings {
  readonly duplicates: boolean;
  readonly checkpointEvery: number;
  readonly beforeEvent: (() => Promise<void>) | undefined;
}

/** One read or subscription at the fake server. */
export class ReadCall {
  readonly isSubscription: boolean;
  private readonly options: Options;
  private isOver = false;
  private isMute = false;
  private wakeUp: (() => void) | undefined;

  constructor(
    private readonly call: ServerWritableStream<ReadReq, ReadResp>,
    private readonly log: MemoryLog,
    private readonly settings: ReadCallSettings,
  ) {
    this.options = call.request.getOptions()!;
    this.isSubscription = this.options.hasSubscription();
    call.on('cancelled', () => this.forget());
    call.on('error', () => this.forget());
  }

  async run(): Promise<void> {
    if (this.isSubscription) await this.follow();
    else await this.readOnce();
  }

  /** Ends the call with an error. */
  fail(error: ServiceError): void {
    if (!this.isOver) this.call.emit('error', error);
    this.forget();
  }

  /** Ends the call as if everything had been sent. */
  endPolitely(): void {
    if (!this.isOver) this.call.end();
    this.forget();
  }

  /** Sends nothing more, without an end. */
  mute(): void {
    this.isMute = true;
  }

  /** The connection is gone. */
  forget(): void {
    this.isOver = true;
    this.wakeUp?.();
  }

  private async readOnce(): Promise<void> {
    const deleted = this.deletedStream();
    if (deleted !== null) return this.fail(streamDeleted(deleted).error);
    const records = this.options.hasAll() ? this.recordsOfAll() : this.recordsOfStream();
    if (records === undefined) {
      const identifier = this.options.getStream()!.getStreamIdentifier()!;
      const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier);
      await this.send(new streams.ReadResp().setStreamNotFound(notFound));
    } else {
      for (const record of records.slice(0, Number(this.options.getCount()))) {
        await this.settings.beforeEvent?.();
        if (this.isOver) return;
        await this.send(eventResponse(record));
      }
    }
    if (!this.isMute) this.endPolitely();
  }

  private deletedStream(): string | null {
    const identifier = this.options.getStream()?.getStreamIdentifier();
    const name = identifier ? Buffer.from(identifier.getStreamName_asU8()).toString('utf8') : '';
    return this.log.isTombstoned(name) ? name : null;
  }

  /** In the order of the read, or undefined for a stream that does not exist. */
  private recordsOfStream(): readonly LogRecord[] | undefined {
    const stream = this.options.getStream()!;
    const name = Buffer.from(stream.getStreamIdentifier()!.getStreamName_asU8()).toString('utf8');
    const records = this.log.stream(name);
    if (!this.isBackwards()) {
      return records?.filter(({ revision }) => revision >= Number(stream.getRevision()));
    }
    const from = stream.hasEnd() ? Infinity : Number(stream.getRevision());
    return records?.filter(({ revision }) => revision <= from).reverse();
  }

  private recordsOfAll(): readonly LogRecord[] {
    const all = this.options.getAll()!;
    const from = BigInt(all.getPosition()?.getCommitPosition() ?? 0);
    const matching = this.log.records.filter(record => this.matches(record));
    if (!this.isBackwards()) return matching.filter(({ position }) => position >= from);
    return matching.filter(({ position }) => all.hasEnd() || position <= from).reverse();
  }

  /** As the server does it: first what is recorded, then a caught-up message, then what comes. */
  private async follow(): Promise<void> {
    const from = this.options.getAll()!.getPosition();
    let after = from ? BigInt(from.getCommitPosition()) : -1n;
    let next = this.log.records.findIndex(({ position }) => position > after);
    if (next < 0) next = this.log.records.length;
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('fake');
    await this.send(new streams.ReadResp().setConfirmation(confirmation));
    const stopListening = this.log.onAppend(() => this.wakeUp?.());
    let skipped = 0;
    let caughtUp = false;
    while (!this.isOver) {
      const record = this.log.records[next];
      if (record) {
        next += 1;
        skipped = await this.pass(record, skipped);
        after = record.position;
      } else if (caughtUp) {
        await new Promise<void>(resolve => {
          this.wakeUp = resolve;
        });
      } else {
        caughtUp = true;
        await this.send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
      }
    }
    stopListening();
  }

  /** @returns how many records were passed over since the last checkpoint */
  private async pass(record: LogRecord, skipped: number): Promise<number> {
    if (this.matches(record)) {
      await this.settings.beforeEvent?.();
      await this.send(eventResponse(record));
      if (this.settings.duplicates) await this.send(eventResponse(record));
      return skipped;
    }
    if (skipped + 1 < this.settings.checkpointEvery) return skipped + 1;
    const checkpoint = new streams.ReadResp.Checkpoint()
      .setCommitPosition(String(record.position))
      .setPreparePosition(String(record.position));
    await this.send(new streams.ReadResp().setCheckpoint(checkpoint));
    return 0;
  }

  private isBackwards(): boolean {
    return this.options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  }

  private matches({ stream }: LogRecord): boolean {
    const expression = this.options.getFilter()?.getStreamIdentifier();
    if (!expression) return true;
    const regex = expression.getRegex();
    return regex === ''
      ? expression.getPrefixList().some(prefix => stream.startsWith(prefix))
      : new RegExp(regex).test(stream);
  }

  private async send(response: ReadResp): Promise<void> {
    if (this.isOver || this.isMute || this.call.write(response)) return;
    await new Promise<void>(resolve => {
      this.call.once('drain', resolve);
      this.wakeUp = resolve;
    });
  }
}

function eventResponse(record: LogRecord): ReadResp {
  const position = String(record.position);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(record.stream)))
    .setStreamRevision(String(record.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(record.data)
    .setCustomMetadata(record.metadata);
  recorded
    .getMetadataMap()
    .set('type', record.type)
    .set('content-type', record.contentType)
    .set('created', '0');
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position),
  );
}
