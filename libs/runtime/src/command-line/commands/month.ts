import { Command } from 'commander';
import type { MonthView } from '#projections/month-document';
import { householdIdFrom, momentUpTo, monthName } from '../arguments.js';
import { orFail } from '../failures.js';
import { counted } from '../output/formats.js';
import type { Column, Terminal } from '../output/terminal.js';
import { whileReadingHousehold } from '../reading.js';

interface MonthOptions {
  readonly asOf?: string;
  readonly json?: boolean;
}

/** A group's sums, or one of its items. */
interface MonthLine {
  readonly name: string;
  readonly planned: number;
  /** Spent; for income, received. */
  readonly done: number;
  readonly remaining: number;
}

const columns = (money: (amount: number) => string): readonly Column<MonthLine>[] => [
  { title: 'GROUP AND ITEM', text: ({ name }) => name },
  { title: 'PLANNED', align: 'right', text: ({ planned }) => money(planned) },
  { title: 'SPENT/RECEIVED', align: 'right', text: ({ done }) => money(done) },
  { title: 'REMAINING', align: 'right', text: ({ remaining }) => money(remaining) },
];

const ABOUT =
  'Prints the budget of a month, folded from the events, as the API and the app show it. REMAINING of a fund is its ' +
  'balance. --json prints the response of GET /months/{month}, with amounts in minor units.';

const EXAMPLES = `
Examples:
  $ ledger month 01JZ0000000000000000000ABC 2026-01
  $ ledger month 01JZ0000000000000000000ABC 2026-01 --as-of 2026-01-31
  $ ledger month 01JZ0000000000000000000ABC 2026-01 --json | jq .left_to_budget
`;

export function monthCommand(terminal: Terminal): Command {
  return new Command('month')
    .summary('print the budget of a month')
    .description(ABOUT)
    .argument('<household>', 'the household id; see `ledger households`', householdIdFrom)
    .argument('<month>', 'the month, such as 2026-01', monthName)
    .option('--as-of <time>', 'the month as of this time, or the end of this date', momentUpTo)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (householdId: string, month: string, { asOf, json }: MonthOptions) => {
      await whileReadingHousehold(householdId, async reading => {
        const household = await reading.at(asOf);
        const { monthIn } = await import('#budget/month-answer');
        const when = asOf === undefined ? '' : ` at ${asOf}`;
        const missing = `This household has no budget for ${month}${when}.`;
        const view = await orFail('not_found', missing, () => monthIn(householdId, household, month).body);
        if (json) return terminal.printJson(view);
        await printMonth(terminal, view, reading.money);
      });
    });
}

async function printMonth(
  terminal: Terminal,
  view: MonthView,
  money: (amount: number) => string,
): Promise<void> {
  const lines = view.groups.flatMap(({ name, totals, items }): MonthLine[] => [
    { name, ...totals, done: totals.spent + totals.received },
    ...items.map(item => ({ ...item, name: `  ${item.name}`, done: item.spent + item.received })),
  ]);
  await terminal.print(`${view.month}: ${money(view.left_to_budget)} left to budget`);
  await terminal.printTable(columns(money), [lines]);
  if (view.untracked_count > 0) {
    await terminal.print(counted(view.untracked_count, 'untracked transaction'));
  }
}
