import type { EventStore } from '#storage/event-store/event-store';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { eventIdOf, eventAt, eventsInParts, streamOf } from '../households/household-stream.js';

/** The events of one command, in their order; never empty. */
export type RecordedCommandEvents = readonly [DecodedEvent, ...DecodedEvent[]];

/** More events than any command records. */
const EVENTS_PER_COMMAND_MAX = 1_000;

/** Commands read at once when searching backwards for one. */
export const COMMANDS_AT_ONCE = 256;

/** A household's history by commands: all events of a command stand side by side in the stream. */
export class CommandLog {
  constructor(private readonly store: EventStore) {}

  /**
   * Commands from the newest back, each whole.
   * @param before only events before this revision; all when absent
   * @param expected about how many events will be wanted: at most this many are read at once
   * @throws EventStoreUnavailable, UnknownEvent
   */
  async *backwards(
    householdId: string,
    before: number | null,
    expected: number,
  ): AsyncGenerator<RecordedCommandEvents> {
    let from = before === null ? undefined : before - 1;
    let open: DecodedEvent[] = [];
    while (from === undefined || from >= 0) {
      const range = { direction: 'backwards', limit: expected, ...(from !== undefined && { from }) } as const;
      let read = 0;
      for await (const page of this.store.readStream(streamOf(householdId), range)) {
        for (const stored of page) {
          const event = decodeEvent(stored);
          read++;
          from = event.revision - 1;
          if (open.length > 0 && open[0]!.metadata.commandId !== event.metadata.commandId) {
            yield whole(open.toReversed());
            open = [];
          }
          open.push(event);
        }
      }
      if (read === 0) break;
    }
    if (open.length > 0) yield whole(open.toReversed());
  }

  /**
   * Commands from a revision, where one begins, to the present end. Appends are whole, so the last one is too.
   * @param first about how many events will be wanted at first
   * @throws EventStoreUnavailable, UnknownEvent
   */
  async *forwards(householdId: string, from: number, first?: number): AsyncGenerator<RecordedCommandEvents> {
    let command: [DecodedEvent, ...DecodedEvent[]] | undefined;
    for await (const page of eventsInParts(this.store, householdId, from, undefined, first)) {
      for (const event of page.map(decodeEvent)) {
        if (command?.[0].metadata.commandId === event.metadata.commandId) {
          command.push(event);
          continue;
        }
        if (command) yield command;
        command = [event];
      }
    }
    if (command) yield command;
  }

  /** The command that recorded an event, or null: it is searched from the end. @throws EventStoreUnavailable, UnknownEvent */
  async commandOf(householdId: string, eventId: string): Promise<RecordedCommandEvents | null> {
    for await (const events of this.backwards(householdId, null, COMMANDS_AT_ONCE)) {
      if (events.some(({ id }) => id === eventId)) return events;
    }
    return null;
  }

  /** As `commandOf`, by the event's revision. @throws EventStoreUnavailable, UnknownEvent */
  async commandAt(householdId: string, revision: number): Promise<RecordedCommandEvents | null> {
    const event = await this.eventAt(householdId, revision);
    if (!event) return null;
    // Nearly every command records one event.
    const from = revision - placeOf(householdId, event);
    for await (const command of this.forwards(householdId, from, 2)) return command;
    return null;
  }

  /** The event at a revision, or null. @throws EventStoreUnavailable, UnknownEvent */
  async eventAt(householdId: string, revision: number): Promise<DecodedEvent | null> {
    const stored = await eventAt(this.store, householdId, revision);
    return stored && decodeEvent(stored);
  }
}

/** An event's place in its command: ids derive from it, so that nothing before the event has to be read. */
function placeOf(householdId: string, { id, metadata: { commandId } }: DecodedEvent): number {
  for (let place = 0; place < EVENTS_PER_COMMAND_MAX; place++) {
    if (eventIdOf(householdId, commandId, place) === id) return place;
  }
  throw new Error(`the id of event ${id} does not derive from its command`);
}

/** @param events those of one command, at least one */
function whole([first, ...others]: readonly DecodedEvent[]): RecordedCommandEvents {
  if (!first) throw new Error('a command without events was never recorded');
  return [first, ...others];
}
