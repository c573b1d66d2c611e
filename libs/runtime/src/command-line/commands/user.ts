import { userInfo } from 'node:os';
import { Command } from 'commander';
import { EVERY_KEY } from '#storage/documents/declared';
import { pagesOf } from '#storage/documents/pages';
import {
  ADMINISTRATION_LOG,
  type AdministrationRecord,
  type UserAction,
} from '#identity/administration/administration-records';
import { moment } from '../output/formats.js';
import { type Column, plainText, type Terminal } from '../output/terminal.js';
import { whileReading } from '../reading.js';

/** Actions that are read at once. */
const PAGE_ACTIONS = 500;

const ACTIONS: Readonly<Record<UserAction, { readonly summary: string; readonly done: string }>> = {
  confirm: {
    summary: 'open the account of a sign-up whose mail did not arrive',
    done: 'has an account now, and can sign in.',
  },
  'reset-link': {
    summary: 'print a link for a new password, valid for one hour',
    done: 'can choose a new password at this link within one hour:',
  },
  disable: {
    summary: 'end all sessions, and refuse tokens and sign-ins',
    done: 'is disabled. Sessions have ended; tokens and sign-ins are refused.',
  },
  enable: { summary: 'take back `disable`', done: 'is enabled. Tokens work again.' },
  erase: {
    summary: 'delete the account for good, with households that are theirs alone',
    done: 'is erased, with every household that was theirs alone.',
  },
};

const EXAMPLES = `
Examples:
  $ ledger user confirm ada@example.org
  $ ledger user reset-link ada@example.org
  $ ledger user disable ada@example.org
  $ ledger user log
`;

export function userCommand(terminal: Terminal): Command {
  const command = new Command('user')
    .summary('confirm, disable, enable or erase a user')
    .description(
      'Manages one user. Works while the server runs, and holds on every instance from the next request on. Each ' +
        'action is recorded with the name under which you are logged in to this machine.',
    )
    .addHelpText('after', EXAMPLES);
  for (const action of Object.keys(ACTIONS) as UserAction[]) {
    command.addCommand(actionCommand(terminal, action));
  }
  return command.addCommand(logCommand(terminal));
}

function actionCommand(terminal: Terminal, action: UserAction): Command {
  const { summary, done } = ACTIONS[action];
  return new Command(action)
    .summary(summary)
    .argument('<email>', 'the e-mail address of the user')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `\nExamples:\n  $ ledger user ${action} ada@example.org\n`)
    .action(async (email: string, { json }: { json?: boolean }) => {
      const { administerUser } = await import('../../user-operator.js');
      const { userId, link } = await administerUser({ action, email, by: userInfo().username });
      if (json) await terminal.printJson({ action, user_id: userId, link });
      else await terminal.print([`${plainText(email)} ${done}`, ...(link === null ? [] : [link])].join('\n'));
    });
}

const LOG_COLUMNS: readonly Column<LogLine>[] = [
  { title: 'DONE', text: ({ at }) => moment(at) },
  { title: 'BY', text: ({ by }) => by },
  { title: 'ACTION', text: ({ action }) => action },
  { title: 'USER', text: ({ user_id }) => user_id },
];

function logCommand(terminal: Terminal): Command {
  return new Command('log')
    .summary('print what operators have done with users')
    .option('--json', 'print one JSON document: {"actions": [...]}')
    .addHelpText('after', '\nExamples:\n  $ ledger user log\n')
    .action(async ({ json }: { json?: boolean }) => {
      await whileReading(async ({ documents }) => {
        const pages = lines(pagesOf(documents, ADMINISTRATION_LOG, EVERY_KEY, PAGE_ACTIONS));
        if (json) await terminal.printJsonList('actions', pages);
        else await terminal.printTable(LOG_COLUMNS, pages, 'Nothing was done with users yet.');
      });
    });
}

async function* lines(records: AsyncIterable<readonly AdministrationRecord[]>): AsyncGenerator<LogLine[]> {
  for await (const page of records) yield page.map(lineOf);
}

type LogLine = ReturnType<typeof lineOf>;

/** An action as scripts get it. */
function lineOf({ at, by, action, userId }: AdministrationRecord) {
  return { at: new Date(at).toISOString(), by, action, user_id: userId };
}
