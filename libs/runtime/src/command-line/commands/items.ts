import { Command } from 'commander';
import type { Household } from '#ledger/household';
import { householdIdFrom } from '../arguments.js';
import type { Column, Terminal } from '../output/terminal.js';
import { whileReadingHousehold } from '../reading.js';

const columns = (money: (amount: number) => string): readonly Column<ItemLine>[] => [
  { title: 'ITEM', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'GROUP', text: ({ group_name }) => group_name },
  { title: 'KIND', text: ({ kind, is_fund }) => (is_fund ? 'fund' : kind) },
  { title: 'MONTHS', align: 'right', text: ({ months }) => String(months) },
  {
    title: 'BALANCE',
    align: 'right',
    text: ({ fund_balance }) => (fund_balance === null ? '' : money(fund_balance)),
  },
];

const EXAMPLES = `
Examples:
  $ ledger items 01JZ0000000000000000000ABC
  $ ledger items 01JZ0000000000000000000ABC --json | jq -r '.items[] | select(.is_fund) | .id'
`;

export function itemsCommand(terminal: Terminal): Command {
  return new Command('items')
    .summary('list the items of a household with their ids')
    .description(
      'Lists the items of a household with their ids, folded from the events: also those that no month has any more. ' +
        'BALANCE is that of a fund at the end of the latest month that has it.',
    )
    .argument('<household>', 'the household id; see `ledger households`', householdIdFrom)
    .option('--json', 'print one JSON document: {"items": [...]}')
    .addHelpText('after', EXAMPLES)
    .action(async (householdId: string, { json }: { json?: boolean }) => {
      await whileReadingHousehold(householdId, async household => {
        const pages = [linesOf(await household.at())];
        if (json) return terminal.printJsonList('items', pages);
        await terminal.printTable(columns(household.money), pages, 'This household has no items yet.');
      });
    });
}

type ItemLine = ReturnType<typeof linesOf>[number];

/** The items as scripts get them. */
function linesOf({ items, groups, favorites, fundBalances }: Household) {
  return [...items.values()].map(item => ({
    id: item.id,
    name: item.name,
    kind: item.kind,
    // The group in which it counts.
    group_id: item.lastGroupId,
    group_name: groups.get(item.lastGroupId)?.name ?? '',
    is_fund: item.fund !== null,
    // Minor units; null for a regular item, and for a fund that is in no month.
    fund_balance: item.fund === null ? null : (fundBalances.get(item.id)?.ending ?? null),
    favorite: favorites.includes(item.id),
    months: item.months,
  }));
}
