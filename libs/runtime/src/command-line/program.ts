import { Command } from 'commander';
import { activityCommand } from './commands/activity.js';
import { backupCommand } from './commands/backup.js';
import { restoreCommand } from './commands/restore.js';
import { demoCommand, type Demonstration } from './commands/demo.js';
import { eventsCommand } from './commands/events.js';
import { fundHistoryCommand } from './commands/fund-history.js';
import { householdsCommand } from './commands/households.js';
import { importCommand } from './commands/import.js';
import { itemsCommand } from './commands/items.js';
import { membershipsCommand } from './commands/memberships.js';
import { monthCommand } from './commands/month.js';
import { giveUpCommand, rebuildCommand } from './commands/projections-rebuild.js';
import { statusCommand } from './commands/projections-status.js';
import { verifyCommand } from './commands/projections-verify.js';
import { userCommand } from './commands/user.js';
import { usersCommand } from './commands/users.js';
import { SERVICE_VERSION } from '../service-version.js';
import type { Terminal } from './output/terminal.js';

const ABOUT =
  'The command line of Household Ledger, for operators and auditors. In the project directory, run it as ' +
  '`npx ledger …`.\n\n' +
  'It reads the same settings as the server (environment variables, or .env in this directory) and works while that ' +
  'server runs. Commands that only read never write to the stores.';

const MORE = `
Exit codes: 0 success; 1 failure, or a check found something wrong; 2 wrong usage.
Amounts in JSON are minor units of the household's currency. Times are UTC.

Examples:
  $ ledger demo                                    # try it with a demo household
  $ ledger households                              # list households with their ids
  $ ledger projections status                      # are the read models up to date?
  $ ledger projections verify                      # was anything tampered with?
  $ ledger backup /backups/ledger.backup           # back up while the server runs
  $ DATA_DIR=/var/lib/ledger ledger users --json   # use another data directory
`;

/** The whole program. Parsing throws what `run-ledger.ts` turns into an exit code. */
export function ledgerProgram(terminal: Terminal, demonstration: Demonstration): Command {
  const program = new Command('ledger')
    .description(ABOUT)
    .version(SERVICE_VERSION, '--version', 'print the version')
    .addHelpText('after', MORE);
  const projections = new Command('projections')
    .summary('manage the read models')
    .description('Manages the read models: the data that the API serves, computed from the events.')
    .addCommand(statusCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(rebuildCommand(terminal))
    .addCommand(giveUpCommand(terminal));
  const commands = [
    householdsCommand(terminal),
    usersCommand(terminal),
    userCommand(terminal),
    itemsCommand(terminal),
    monthCommand(terminal),
    activityCommand(terminal),
    eventsCommand(terminal),
    fundHistoryCommand(terminal),
    membershipsCommand(terminal),
    projections,
    importCommand(terminal),
    backupCommand(terminal),
    restoreCommand(terminal),
    demoCommand(demonstration),
  ];
  for (const command of commands) program.addCommand(command);
  configure(program, terminal);
  return program;
}

/** What commander says before the sentence of a parser, which begins with the wrong value in quotes. */
const PREFACE = /^error: (?:.*is invalid(?: for argument '[^']*')?\. (?='))?/s;

/** Settings that commander passes on only to commands made by the program itself. */
function configure(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showHelpAfterError(`Run \`${pathOf(command)} --help\` for usage.`)
    .configureOutput({
      writeOut: text => terminal.out.write(text),
      writeErr: text => terminal.err.write(text),
      outputError: (text, write) => write(text.replace(PREFACE, 'ledger: ')),
    });
  for (const each of command.commands) configure(each, terminal);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
