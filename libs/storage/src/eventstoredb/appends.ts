import { NO_STREAM as ABSENT } from '@eventstore/db-client';
import { NoAnswer, within } from '#concurrency/within';
import {
  AppendTooLarge,
  NO_STREAM,
  StreamDeleted,
  WrongExpectedRevision,
  checkedAppend,
  type Appended,
  type NewEvent,
} from '../event-store/event-store.js';
import type { EventStoreDbConnection, ExactAppend } from './connection.js';
import { classify } from './failures.js';
import { Retry, type Availability } from './retry.js';

/** How much longer than the server's deadline we wait: the call begins only when there is a connection. */
const ATTEMPT_SLACK_MS = 250;

/** What a write is known by. */
interface Write {
  readonly stream: string;
  readonly expected: number;
  readonly bytes: number;
}

/**
 * Appends at exact revisions. What fails unclearly is sent again with the same ids at the same revision: the
 * server answers what it answered at first if it has the events, at any age. An append that timed out may still
 * land later; that is recognised in the same way, also if another process sends it again.
 */
export class Appends {
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly connection: EventStoreDbConnection,
    private readonly availability: Availability,
  ) {}

  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    const texts = checkedAppend(expected, events);
    // The texts are what every try sends, whatever the caller does with the events meanwhile.
    const utf8 = new TextEncoder();
    const proposed = texts.map(({ data, metadata }, index) => {
      const { id, type } = events[index]!;
      return { id, type, data: utf8.encode(data), metadata: utf8.encode(metadata) };
    });
    const bytes = proposed.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    const append = { stream, expected: expected === NO_STREAM ? null : BigInt(expected), events: proposed };
    const appended = this.untilClear({ stream, expected, bytes }, deadline => this.send(append, deadline));
    this.underWay.add(appended);
    try {
      return await appended;
    } finally {
      this.underWay.delete(appended);
    }
  }

  /** Deletes a stream for good, as `EventStore.deleteStream` says. */
  async delete(stream: string, expected: number): Promise<void> {
    const expectedRevision = expected === NO_STREAM ? ABSENT : BigInt(expected);
    try {
      await this.untilClear({ stream, expected, bytes: 0 }, deadline =>
        this.connection.tombstoneStream(stream, { expectedRevision, requiresLeader: true, deadline }),
      );
    } catch (error) {
      if (!(error instanceof StreamDeleted)) throw error;
    }
  }

  /** Resolves when no append is under way. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private async untilClear<T>(write: Write, send: (deadline: number) => Promise<T>): Promise<T> {
    const retry = new Retry(this.availability);
    for (;;) {
      try {
        const done = await send(retry.attemptMs());
        this.availability.answered();
        return done;
      } catch (error) {
        this.throwIfClear(error, write);
        await retry.next(error);
      }
    }
  }

  private send(append: ExactAppend, deadline: number): Promise<Appended> {
    return within(this.connection.appendExactly(append, deadline), deadline + ATTEMPT_SLACK_MS, () => {
      throw new NoAnswer();
    });
  }

  /** The server's own answers. */
  private throwIfClear(error: unknown, { stream, expected, bytes }: Write): void {
    const failure = classify(error);
    if (failure.kind === 'unclear' || failure.kind === 'refused') return;
    this.availability.answered();
    switch (failure.kind) {
      case 'conflict':
        throw new WrongExpectedRevision(stream, expected, Number(failure.actual ?? NO_STREAM));
      case 'too-large':
        throw new AppendTooLarge(bytes, failure.bytesMax ?? bytes - 1);
      case 'no-stream':
        throw new StreamDeleted(stream);
    }
  }
}
