import { Command } from 'commander';
import type { ActivityEntry } from '#budget/activity/activity.response';
import type { RecordedCommandEvents } from '#engine/commands/command-log';
import { householdIdFrom, positiveNumber } from '../arguments.js';
import { moment } from '../output/formats.js';
import type { Column, Terminal } from '../output/terminal.js';
import { type HouseholdReading, whileReadingHousehold } from '../reading.js';

/** Commands whose names are looked up at once. */
const PAGE_COMMANDS = 100;
const LIMIT_DEFAULT = 50;

const COLUMNS: readonly Column<ActivityEntry>[] = [
  { title: 'RECORDED', text: ({ at }) => moment(at) },
  { title: 'WHAT HAPPENED', text: ({ summary }) => summary },
  { title: 'REVISION', align: 'right', text: ({ revision }) => String(revision) },
];

const EXAMPLES = `
Examples:
  $ ledger activity 01JZ0000000000000000000ABC
  $ ledger activity 01JZ0000000000000000000ABC --limit 500 --json | jq -r '.activity[] | select(.by_name == "Ann") | .summary'
`;

export function activityCommand(terminal: Terminal): Command {
  return new Command('activity')
    .summary('print who did what in a household')
    .description(
      'Prints who did what in a household, newest first, as GET /activity and the app show it. `ledger events` prints ' +
        'the events themselves.',
    )
    .argument('<household>', 'the household id; see `ledger households`', householdIdFrom)
    .option('--limit <commands>', 'print at most this many', positiveNumber, LIMIT_DEFAULT)
    .option('--json', 'print one JSON document: {"activity": [...]}')
    .addHelpText('after', EXAMPLES)
    .action(async (householdId: string, { limit, json }: { limit: number; json?: boolean }) => {
      await whileReadingHousehold(householdId, async household => {
        const pages = entryPages(household, limit);
        if (json) await terminal.printJsonList('activity', pages);
        else await terminal.printTable(COLUMNS, pages, 'Nothing is recorded in this household yet.');
      });
    });
}

async function* entryPages(
  household: HouseholdReading,
  limit: number,
): AsyncGenerator<readonly ActivityEntry[]> {
  const { entriesOf } = await import('#budget/activity/activity-entries');
  for await (const commands of commandPages(household, limit)) {
    yield entriesOf(commands, await household.namesFor(commands.flat()));
  }
}

async function* commandPages(
  { id, stores }: HouseholdReading,
  limit: number,
): AsyncGenerator<readonly RecordedCommandEvents[]> {
  const { CommandLog } = await import('#engine/commands/command-log');
  let page: RecordedCommandEvents[] = [];
  let left = limit;
  for await (const command of new CommandLog(stores.eventStore).backwards(id, null, PAGE_COMMANDS)) {
    page.push(command);
    if (--left === 0) break;
    if (page.length < PAGE_COMMANDS) continue;
    yield page;
    page = [];
  }
  yield page;
}
