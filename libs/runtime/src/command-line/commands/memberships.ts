import { Command } from 'commander';
import { keysUnder } from '#storage/documents/declared';
import { pagesOf } from '#storage/documents/pages';
import {
  HOUSEHOLDS,
  MEMBERSHIP_LOG,
  SETTLED_INVITES,
  type MembershipEntry,
} from '#identity/households/household-records';
import { householdIdFrom } from '../arguments.js';
import { moment } from '../output/formats.js';
import type { Column, Terminal } from '../output/terminal.js';
import { type ReadableStores, namesOf, whileReadingHousehold } from '../reading.js';

const PAGE_ENTRIES = 200;

const COLUMNS: readonly Column<MembershipLine>[] = [
  { title: 'RECORDED', text: ({ at }) => moment(at) },
  { title: 'BY', text: ({ by, by_name }) => by_name ?? by ?? '' },
  { title: 'WHAT HAPPENED', text: line => SENTENCES[line.kind](line, line.user_name ?? line.user_id) },
];

const EXAMPLES = `
Examples:
  $ ledger memberships 01JZ0000000000000000000ABC
  $ ledger memberships 01JZ0000000000000000000ABC --json | jq '.memberships[] | select(.kind == "role_changed")'
`;

export function membershipsCommand(terminal: Terminal): Command {
  return new Command('memberships')
    .summary('print who joined, left or was invited')
    .description('Prints who joined a household, left it or was invited, and by whom, oldest first.')
    .argument('<household>', 'the household id; see `ledger households`', householdIdFrom)
    .option('--json', 'print one JSON document: {"memberships": [...]}')
    .addHelpText('after', EXAMPLES)
    .action(async (householdId: string, { json }: { json?: boolean }) => {
      await whileReadingHousehold(householdId, async ({ stores }) => {
        const pages = lines(stores, householdId);
        if (json) await terminal.printJsonList('memberships', pages);
        else await terminal.printTable(COLUMNS, pages, 'No membership changes are recorded.');
      });
    });
}

async function* lines(stores: ReadableStores, householdId: string): AsyncGenerator<MembershipLine[]> {
  for await (const page of entries(stores, householdId)) {
    const users = page.flatMap(({ by, userId }) => [by, userId]).filter(user => typeof user === 'string');
    const [known, addresses] = await Promise.all([
      namesOf(stores.documents, users),
      addressesOf(stores.documents, page),
    ]);
    yield page.map(entry => lineOf(entry, known, addresses));
  }
}

async function* entries(
  { documents }: ReadableStores,
  householdId: string,
): AsyncGenerator<readonly MembershipEntry[]> {
  // Read first: what is copied to the log meanwhile is found there.
  const record = await documents.get(HOUSEHOLDS, householdId);
  let last = 0;
  for await (const page of pagesOf(documents, MEMBERSHIP_LOG, keysUnder(householdId), PAGE_ENTRIES)) {
    last = page.at(-1)?.sequence ?? last;
    yield page;
  }
  yield (record?.unlogged ?? []).filter(({ sequence }) => sequence > last);
}

/** The addresses of invites that ended, by the ids of the invites; those that ended long ago are kept no more. */
async function addressesOf(
  documents: ReadableStores['documents'],
  page: readonly MembershipEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = page.flatMap(({ inviteId }) => inviteId ?? []);
  const settled = await documents.getMany(SETTLED_INVITES, [...new Set(ids)]);
  return new Map(settled.map(({ key, email }) => [key, email]));
}

type MembershipLine = ReturnType<typeof lineOf>;

/** An entry as scripts get it; what does not apply is null. */
function lineOf(
  entry: MembershipEntry,
  names: ReadonlyMap<string, string>,
  addresses: ReadonlyMap<string, string>,
) {
  const { sequence, at, by, kind, userId, role, currency, inviteId, status } = entry;
  return {
    sequence,
    at: new Date(at).toISOString(),
    // Null where time did it.
    by,
    by_name: by === null ? null : (names.get(by) ?? null),
    kind,
    user_id: userId ?? null,
    user_name: (userId !== undefined && names.get(userId)) || null,
    role: role ?? null,
    currency: currency ?? null,
    invite_id: inviteId ?? null,
    // Not the invite as it is: that holds the secret of its link.
    invite_email: (status !== undefined && addresses.get(inviteId ?? '')) || null,
    invite_status: status ?? null,
  };
}

const SENTENCES: Readonly<
  Record<MembershipEntry['kind'], (line: MembershipLine, whom: string | null) => string>
> = {
  household_created: () => 'created the household',
  household_renamed: () => 'renamed the household',
  currency_changed: ({ currency }) => `set the currency to ${currency}`,
  household_archived: () => 'archived the household',
  household_unarchived: () => 'unarchived the household',
  member_joined: ({ role }, whom) => `${whom} joined as ${role}`,
  member_left: (_, whom) => `${whom} left`,
  member_removed: (_, whom) => `removed ${whom}`,
  role_changed: ({ role }, whom) => `changed the role of ${whom} to ${role}`,
  invite_sent: ({ invite_id }) => `sent invite ${invite_id}`,
  invite_settled: ({ invite_id, invite_email, invite_status }) =>
    `invite ${invite_id}${invite_email === null ? '' : ` to ${invite_email}`}: ${invite_status}`,
};
