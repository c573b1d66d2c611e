import type { Position } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

/** How many records the server looks through at once for a filtered read. */
const SEARCH_WINDOW_RECORDS = 4_096;
/** A subscription's checkpoints come after at least this many times 32 records, which it looks through at once. */
const CHECKPOINT_INTERVAL = 32;

const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;

export type ReadReq = InstanceType<typeof streams.ReadReq>;
type Options = InstanceType<typeof streams.ReadReq.Options>;
type ReadFilter = InstanceType<typeof streams.ReadReq.Options.FilterOptions>;
type Direction = 'forwards' | 'backwards';

interface StreamRead {
  readonly stream: string;
  /** A revision, inclusive. */
  readonly from: number | 'end';
  readonly direction: Direction;
  readonly limit: number;
}

export interface FilteredRead {
  /** Inclusive. */
  readonly from: Position | 'start' | 'end';
  readonly direction: Direction;
  readonly prefix: string;
  readonly limit: number;
}

/** The names of streams that are not the server's own. */
const NO_SYSTEM_STREAM = '^[^$]';

/** The events of one stream. */
export function streamRead({ stream, from, direction, limit }: StreamRead): ReadReq {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const one = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier);
  if (from === 'end') one.setEnd(new shared.Empty());
  else one.setRevision(String(from));
  return request(options(direction).setCount(String(limit)).setStream(one).setNoFilter(new shared.Empty()));
}

/** The events of the streams with the prefix, in the order of the store or against it. */
export function filteredRead({ from, direction, prefix, limit }: FilteredRead): ReadReq {
  const filter = readFilter(prefix).setMax(SEARCH_WINDOW_RECORDS);
  return request(options(direction).setCount(String(limit)).setAll(allOptions(from)).setFilter(filter));
}

/** The same and what comes after, without end; behind a position, unlike a read. */
export function subscription({ from, prefix }: Pick<FilteredRead, 'from' | 'prefix'>): ReadReq {
  const filter = readFilter(prefix)
    .setCount(new shared.Empty())
    .setCheckpointintervalmultiplier(CHECKPOINT_INTERVAL);
  const unending = new streams.ReadReq.Options.SubscriptionOptions();
  return request(options('forwards').setSubscription(unending).setAll(allOptions(from)).setFilter(filter));
}

/** The last event of all. */
export function lastRead(): ReadReq {
  return request(
    options('backwards').setCount('1').setAll(allOptions('end')).setNoFilter(new shared.Empty()),
  );
}

function request(of: Options): ReadReq {
  return new streams.ReadReq().setOptions(of);
}

function options(direction: Direction): Options {
  return new streams.ReadReq.Options()
    .setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS)
    .setResolveLinks(false)
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
}

function readFilter(prefix: string): ReadFilter {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  if (prefix === '') expression.setRegex(NO_SYSTEM_STREAM);
  else expression.setPrefixList([prefix]);
  return new streams.ReadReq.Options.FilterOptions().setStreamIdentifier(expression);
}

function allOptions(from: FilteredRead['from']) {
  const options = new streams.ReadReq.Options.AllOptions();
  if (from === 'start') return options.setStart(new shared.Empty());
  if (from === 'end') return options.setEnd(new shared.Empty());
  return options.setPosition(
    new streams.ReadReq.Options.Position()
      .setCommitPosition(String(from.commit))
      .setPreparePosition(String(from.prepare)),
  );
}
