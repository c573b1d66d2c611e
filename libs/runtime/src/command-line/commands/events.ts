import { Command } from 'commander';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { decodeEvent, UnknownEvent } from '#ledger/event-codec';
import type { RecordedLedgerEvent } from '#ledger/events';
import { summaryOf } from '#projections/activity-summary';
import { hashOf, streamOf, timeOf } from '#engine/households/household-stream';
import { householdIdFrom, wholeNumber } from '../arguments.js';
import { Interruption } from '../interruption.js';
import { moment } from '../output/formats.js';
import type { Column, Terminal } from '../output/terminal.js';
import { type HouseholdReading, whileReadingHousehold } from '../reading.js';

const ALIVE_MS = 60_000;

interface EventsOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly from: number;
  readonly limit?: number;
}

interface EventRow {
  readonly event: RecordedEvent;
  readonly summary: string;
}

const COLUMNS: readonly Column<EventRow>[] = [
  { title: 'REVISION', align: 'right', text: ({ event }) => String(event.revision) },
  { title: 'RECORDED', text: ({ event }) => moment(timeOf(event)) },
  { title: 'EVENT', text: ({ event }) => event.type },
  { title: 'WHAT HAPPENED', text: ({ summary }) => summary },
];

const ABOUT =
  'Prints the events of a household, oldest first.\n\n' +
  '--json prints one object per line: {revision, position, event_id, type, data, metadata, hash}. The metadata of ' +
  'the next event repeats the hash as previousHash. Event ids are UUIDs, as in the event store; the API shows the ' +
  'same ids as ULIDs and accepts both.';

const EXAMPLES = `
Examples:
  $ ledger events 01JZ0000000000000000000ABC
  $ ledger events 01JZ0000000000000000000ABC --from 120 --limit 10
  $ ledger events 01JZ0000000000000000000ABC --follow
  $ ledger events 01JZ0000000000000000000ABC --json | jq -r 'select(.type == "TransactionDeleted") | .data.id'
`;

export function eventsCommand(terminal: Terminal): Command {
  return new Command('events')
    .summary('print the events of a household')
    .description(ABOUT)
    .argument('<household>', 'the household id; see `ledger households`', householdIdFrom)
    .option('--from <revision>', 'start at this revision', wholeNumber, 0)
    .option('--limit <events>', 'print at most this many events', wholeNumber)
    .option('--follow', 'keep printing new events until Ctrl-C')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', EXAMPLES)
    .action(async (householdId: string, options: EventsOptions) => {
      await whileReadingHousehold(householdId, async household => {
        const pages = pagesOf(household, options);
        if (!options.json) return terminal.printTable(COLUMNS, rowPages(household, pages));
        for await (const page of pages) {
          for (const event of page) await terminal.printJson(eventJson(event));
        }
      });
    });
}

/** An event as scripts get it. */
function eventJson(event: RecordedEvent): object {
  const { revision, position, id: event_id, type, data, metadata, stream } = event;
  return { revision, position, event_id, type, data, metadata, hash: hashOf(stream, event) };
}

async function* pagesOf(
  { id, stores: { eventStore } }: HouseholdReading,
  { from, limit = Number.MAX_SAFE_INTEGER, follow }: EventsOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const stream = streamOf(id);
  let left = limit;
  let last: RecordedEvent | undefined;
  for await (const page of eventStore.readStream(stream, { from, limit })) {
    yield page;
    left -= page.length;
    last = page.at(-1) ?? last;
  }
  if (!follow || left <= 0) return;
  for await (const page of following(eventStore, stream, Math.max(from, (last?.revision ?? -1) + 1), last)) {
    yield page.slice(0, left);
    left -= page.length;
    if (left <= 0) return;
  }
}

/** What is recorded in a stream from now on, beginning at a revision, until the operator interrupts. */
async function* following(
  eventStore: EventStore,
  stream: string,
  from: number,
  last: RecordedEvent | undefined,
): AsyncGenerator<readonly RecordedEvent[]> {
  const interruption = new Interruption();
  // Waiting for other processes' events does not keep a process alive by itself.
  const alive = setInterval(() => undefined, ALIVE_MS);
  let next = from;
  try {
    const { signal } = interruption;
    for await (const delivery of eventStore.subscribe({ after: last?.position, prefix: stream, signal })) {
      if (delivery.kind !== 'events') continue;
      // After a reconnection events may come again.
      const page = delivery.events.filter(({ revision }) => revision >= next);
      next = (page.at(-1)?.revision ?? next - 1) + 1;
      if (page.length > 0) yield page;
    }
  } finally {
    clearInterval(alive);
    interruption.end();
  }
}

async function* rowPages(
  household: HouseholdReading,
  pages: AsyncIterable<readonly RecordedEvent[]>,
): AsyncGenerator<EventRow[]> {
  for await (const page of pages) {
    const decoded = page.map(decodedOrNull);
    const names = await household.namesFor(decoded.filter(event => event !== null));
    yield page.map((event, at) => {
      const known = decoded[at];
      return { event, summary: known ? summaryOf([known], names) : unreadable(event) };
    });
  }
}

function unreadable(event: RecordedEvent): string {
  const isDamaged = timeOf(event) === null;
  return isDamaged
    ? 'This event is damaged, or another program wrote it.'
    : 'This version does not know this kind of event.';
}

function decodedOrNull(event: RecordedEvent): RecordedLedgerEvent | null {
  try {
    return decodeEvent(event);
  } catch (error) {
    if (error instanceof UnknownEvent) return null;
    throw error;
  }
}
