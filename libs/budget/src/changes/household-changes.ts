import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#http/api-error';
import { AccessGuard } from '#identity/access/guards';
import type { DecodedEvent } from '#ledger/event-codec';
import { touchedTransactions } from '#ledger/events';
import { CommandLog } from '#engine/commands/command-log';
import { LiveStreams } from '#engine/versions/live-streams';
import { PastHouseholds } from '#engine/households/past-households';
import { isStoreDown } from '#engine/households/store-failures';
import type { Listener } from './change-feed.js';
import { MonthsShown } from './months-shown.js';

/** How often a client hears that the stream still stands and its access is checked again, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/**
 * How long a client may leave what was made for it untaken, in milliseconds. Nothing more is made meanwhile, so that
 * it holds a few messages and no more; but it holds them, and a place among the clients, without a reader.
 */
const UNTAKEN_MS_MAX = 30_000;

/** Times of the stream of changes. Tests shorten them. */
export class ChangesPace {
  heartbeatMs = HEARTBEAT_MS;
  untakenMsMax = UNTAKEN_MS_MAX;
}

/** Messages that are ready together are written together, up to this many characters. */
const WRITTEN_TOGETHER_LENGTH = 16_384;

/** What the commands of a household change, as server-sent events. */
@Injectable()
export class HouseholdChanges {
  private readonly logger = new Logger(HouseholdChanges.name);

  constructor(
    private readonly log: CommandLog,
    private readonly streams: LiveStreams,
    private readonly access: AccessGuard,
    private readonly pace: ChangesPace,
    private readonly past: PastHouseholds,
  ) {}

  /**
   * One message for each command after a revision, without end. The first text and every heartbeat give the position, so
   * that a client without a message so far resumes as well. Access is confirmed before messages and heartbeats; the
   * stream ends when it is lost, or when a store is down: the client comes back with its `Last-Event-ID`.
   * @param after −1 for the beginning, null for the present end of the household's stream
   * @returns texts to be written, each of one or several messages
   */
  async *messages(
    request: FastifyRequest,
    householdId: string,
    after: number | null,
    listener: Listener,
  ): AsyncGenerator<string> {
    try {
      const { revision } = await this.streams.catchUp(householdId);
      let last = after === null ? revision : Math.min(after, revision);
      yield position(last);
      const shown = new MonthsShown(this.past, householdId);
      while (!listener.signal.aborted) {
        let text = '';
        const known = last;
        for await (const command of this.log.forwards(householdId, last + 1)) {
          last = command.at(-1)!.revision;
          text += await this.message(householdId, command, shown);
          if (text.length < WRITTEN_TOGETHER_LENGTH) continue;
          await this.access.confirm(request);
          yield text;
          text = '';
        }
        shown.forget();
        if (last === known) text = position(last, ': heartbeat\n');
        if (text !== '') {
          await this.access.confirm(request);
          yield text;
        }
        await listener.wait(this.pace.heartbeatMs);
      }
    } catch (error) {
      // The answer has begun: all that can be said to the client is that it ends here.
      if (!isStoreDown(error) && !(error instanceof ApiError)) this.logger.error(error);
    } finally {
      listener.close();
    }
  }

  private async message(
    householdId: string,
    command: readonly DecodedEvent[],
    shown: MonthsShown,
  ): Promise<string> {
    // What the message says can be read: the documents reflect it before it is told.
    const { revision } = command.at(-1)!;
    const household = await this.streams.catchUp(householdId, revision);
    const ofFigures = command[0]!.metadata.months ?? [];
    const ofContent = await shown.of(command, household);
    const data = {
      months: [...new Set([...ofFigures, ...ofContent])].sort(),
      transactions: [...new Set(command.flatMap(touchedTransactions))],
      untracked_count: household.untracked.count,
    };
    return `id: ${revision}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

/** Up to where a client has been sent everything, as an id without data: `EventSource` remembers it, without an event. */
function position(revision: number, comment = ''): string {
  return `id: ${revision}\n${comment}\n`;
}
