import { Command } from 'commander';
import { EVERY_KEY } from '#storage/documents/declared';
import { pagesOf } from '#storage/documents/pages';
import { ACCOUNTS, type Account } from '#identity/accounts/account-records';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { count, moment } from '../output/formats.js';
import { printTable, type Column } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { type ReadableStores, whileReading } from '../reading.js';

/** At most this many households of one user are counted. */
const HOUSEHOLDS_COUNTED_MAX = 10_000;

/** Users that are read at once. */
const PAGE_USERS = 200;

/** A user as scripts get it. */
interface UserLine {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly created_at: string;
  readonly personal_household_id: string;
  readonly default_household_id: string;
  /** In how many households the user is a member. */
  readonly households: number;
}

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
        else await printTable(terminal, COLUMNS, pages, 'There are no users yet.');
      });
    });
}

async function* lines({ documents }: ReadableStores): AsyncGenerator<UserLine[]> {
  for await (const page of pagesOf(documents, ACCOUNTS, EVERY_KEY, PAGE_USERS)) {
    const line = async (account: Account): Promise<UserLine> => {
      const query = { index: 'member', equals: { memberIds: account.key }, limit: HOUSEHOLDS_COUNTED_MAX };
      return {
        id: account.key,
        name: account.name,
        email: account.email,
        created_at: new Date(account.createdAt).toISOString(),
        personal_household_id: account.personalHouseholdId,
        default_household_id: account.defaultHouseholdId,
        households: (await documents.query(HOUSEHOLDS, query)).length,
      };
    };
    yield await Promise.all(page.map(line));
  }
}
