import { Command } from 'commander';
import type { FundEntryResponse, PagedFundHistory } from '#budget/funds/get-fund-history';
import { householdIdFrom, momentFrom, momentUpTo } from '../arguments.js';
import { orFail } from '../failures.js';
import { moment } from '../output/formats.js';
import { type Column, plainText, type Terminal } from '../output/terminal.js';
import { type HouseholdReading, requireItem, whileReadingHousehold } from '../reading.js';

interface FundHistoryOptions {
  readonly from?: string;
  readonly to?: string;
  readonly asOf?: string;
  readonly json?: boolean;
}

const columns = (money: (amount: number) => string): readonly Column<FundEntryResponse>[] => [
  { title: 'RECORDED', text: ({ at }) => moment(at) },
  { title: 'MONTH', text: ({ month }) => month },
  { title: 'WHAT', text: ({ kind }) => kind.replaceAll('_', ' ') },
  { title: 'CHANGE', align: 'right', text: ({ amount }) => (amount > 0 ? '+' : '') + money(amount) },
  { title: 'BALANCE', align: 'right', text: ({ balance }) => money(balance) },
  { title: 'BY', text: ({ by, by_name }) => by_name || by },
  { title: 'REVISION', align: 'right', text: ({ revision }) => String(revision) },
];

const ABOUT =
  'Prints every change of a fund’s balance, oldest first, replayed from the events.\n\n' +
  'WHAT is one of:\n' +
  '  opened     the item became a fund; counts its month’s plan and spending\n' +
  '  laid out   the item was added to a month\n' +
  '  planned    its plan changed\n' +
  '  adjusted   its balance was corrected\n' +
  '  spent      its transactions changed\n' +
  '  removed    the item was removed from a month\n' +
  '  closed     the item is no longer a fund\n\n' +
  'MONTH is the month in which the money moved; carrying a balance into the next month is not a change. --json prints ' +
  'the response of GET /items/{item}/fund-history, with amounts in minor units.';

const EXAMPLES = `
Examples:
  $ ledger fund-history 01JZ0000000000000000000ABC Holidays
  $ ledger fund-history 01JZ0000000000000000000ABC 01JZ0000000000000000000DEF --from 2026-01-01 --to 2026-03-31
  $ ledger fund-history 01JZ0000000000000000000ABC 01JZ0000000000000000000DEF --as-of 2026-02-15T12:00:00Z --json
`;

export function fundHistoryCommand(terminal: Terminal): Command {
  return new Command('fund-history')
    .summary('print every change of a fund’s balance')
    .description(ABOUT)
    .argument('<household>', 'the household id; see `ledger households`', householdIdFrom)
    .argument('<item>', 'the name or id of an item that is or was a fund; see `ledger items`')
    .option('--from <time>', 'only changes from this time or date on', momentFrom)
    .option('--to <time>', 'only changes up to this time or date', momentUpTo)
    .option('--as-of <time>', 'the history and the names as of this time', momentUpTo)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (householdId: string, idOrName: string, options: FundHistoryOptions) => {
      await whileReadingHousehold(householdId, async household => {
        const { id } = requireItem(await household.at(options.asOf), idOrName, options.asOf);
        const { entries, ...item } = await historyOf(household, id, options);
        if (options.json) return terminal.printJsonList('entries', entries, item);
        await terminal.print(plainText(item.name));
        const none = 'The fund did not change in this period.';
        await terminal.printTable(columns(household.money), entries, none);
      });
    });
}

async function historyOf(
  { id, stores: { documents, eventStore } }: HouseholdReading,
  itemId: string,
  { from, to, asOf }: FundHistoryOptions,
): Promise<PagedFundHistory> {
  const [{ GetFundHistory, GetFundHistoryHandler }, { PastHouseholds }, { UserNames }] = await Promise.all([
    import('#budget/funds/get-fund-history'),
    import('#engine/households/past-households'),
    import('#identity/accounts/accounts'),
  ]);
  const past = new PastHouseholds(eventStore, documents);
  const handler = new GetFundHistoryHandler(eventStore, past, new UserNames(documents));
  const query = { ...(from && { from }), ...(to && { to }), ...(asOf && { as_of: asOf }) };
  const never = `Item ${itemId} was never a fund${asOf === undefined ? '' : ` before ${asOf}`}.`;
  return orFail('not_a_fund', never, () => handler.execute(new GetFundHistory(id, itemId, query)));
}
