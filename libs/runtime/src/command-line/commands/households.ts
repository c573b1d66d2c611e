import { Command } from 'commander';
import { EVERY_KEY } from '#storage/documents/declared';
import { pagesOf } from '#storage/documents/pages';
import { HOUSEHOLDS, type StoredHousehold } from '#identity/households/household-records';
import { lastEventOf, timeOf } from '#engine/households/household-stream';
import { count, moment } from '../output/formats.js';
import type { Column, Terminal } from '../output/terminal.js';
import { type ReadableStores, whileReading } from '../reading.js';

const PAGE_HOUSEHOLDS = 200;

const COLUMNS: readonly Column<HouseholdLine>[] = [
  { title: 'HOUSEHOLD', text: ({ id }) => id },
  { title: 'NAME', text: ({ name, archived }) => (archived ? `${name} (archived)` : name) },
  { title: 'CURRENCY', text: ({ currency }) => currency },
  { title: 'MEMBERS', align: 'right', text: ({ members }) => count(members.length) },
  { title: 'EVENTS', align: 'right', text: ({ events }) => count(events) },
  { title: 'LAST CHANGE', text: line => (line.events === 0 ? '' : moment(line.last_event_at)) },
];

const EXAMPLES = `
Examples:
  $ ledger households
  $ ledger households --json | jq -r '.households[] | select(.archived) | .id'
`;

export function householdsCommand(terminal: Terminal): Command {
  return new Command('households')
    .summary('list the households')
    .description('Lists the households with their members, events and last change.')
    .option('--json', 'print one JSON document: {"households": [...]}')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json?: boolean }) => {
      await whileReading(async (stores, { defaultCurrency }) => {
        const pages = lines(stores, defaultCurrency);
        if (json) await terminal.printJsonList('households', pages);
        else await terminal.printTable(COLUMNS, pages, 'There are no households yet.');
      });
    });
}

async function* lines(stores: ReadableStores, defaultCurrency: string): AsyncGenerator<HouseholdLine[]> {
  for await (const page of pagesOf(stores.documents, HOUSEHOLDS, EVERY_KEY, PAGE_HOUSEHOLDS))
    yield await Promise.all(page.map(record => lineOf(stores, record, defaultCurrency)));
}

type HouseholdLine = Awaited<ReturnType<typeof lineOf>>;

/** A household as scripts get it. */
async function lineOf({ eventStore }: ReadableStores, record: StoredHousehold, defaultCurrency: string) {
  const last = await lastEventOf(eventStore, record.key);
  return {
    id: record.key,
    name: record.name,
    currency: record.currency ?? defaultCurrency,
    /** The user whose personal household it is, or null. */
    personal_of: record.personalOf,
    archived: record.archived,
    created_at: new Date(record.createdAt).toISOString(),
    members: record.members.map(({ userId, role, joinedAt }) => {
      return { user_id: userId, role, joined_at: new Date(joinedAt).toISOString() };
    }),
    events: last ? last.revision + 1 : 0,
    last_event_at: last && timeOf(last),
  };
}
