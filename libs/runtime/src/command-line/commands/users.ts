import { Command } from 'commander';
import { EVERY_KEY } from '#storage/documents/declared';
import type { Documents } from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import { ACCOUNTS, type Account } from '#identity/accounts/account-records';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { count, moment } from '../output/formats.js';
import type { Column, Terminal } from '../output/terminal.js';
import { type ReadableStores, whileReading } from '../reading.js';

const HOUSEHOLDS_COUNTED_MAX = 10_000;

const PAGE_USERS = 200;

const COLUMNS: readonly Column<UserLine>[] = [
  { title: 'USER', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'E-MAIL', text: ({ email }) => email },
  { title: 'HOUSEHOLDS', align: 'right', text: ({ households }) => count(households) },
  { title: 'SINCE', text: ({ created_at }) => moment(created_at) },
];

const EXAMPLES = `
Examples:
  $ ledger users
  $ ledger users --json | jq -r '.users[].email'
`;

export function usersCommand(terminal: Terminal): Command {
  return new Command('users')
    .summary('list the users')
    .description('Lists the users with their e-mail addresses and number of households.')
    .option('--json', 'print one JSON document: {"users": [...]}')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json?: boolean }) => {
      await whileReading(async stores => {
        const pages = lines(stores);
        if (json) await terminal.printJsonList('users', pages);
        else await terminal.printTable(COLUMNS, pages, 'There are no users yet.');
      });
    });
}

async function* lines({ documents }: ReadableStores): AsyncGenerator<UserLine[]> {
  for await (const page of pagesOf(documents, ACCOUNTS, EVERY_KEY, PAGE_USERS))
    yield await Promise.all(page.map(account => lineOf(documents, account)));
}

type UserLine = Awaited<ReturnType<typeof lineOf>>;

/** A user as scripts get it. */
async function lineOf(documents: Documents, account: Account) {
  const memberships = { index: 'member', equals: { memberIds: account.key }, limit: HOUSEHOLDS_COUNTED_MAX };
  return {
    id: account.key,
    name: account.name,
    email: account.email,
    created_at: new Date(account.createdAt).toISOString(),
    personal_household_id: account.personalHouseholdId,
    default_household_id: account.defaultHouseholdId,
    /** In how many households the user is a member. */
    households: (await documents.query(HOUSEHOLDS, memberships)).length,
  };
}
