import { Command } from 'commander';
import { projectionsCommand } from './commands/projections.js';
import { backupCommand } from './commands/backup.js';
import { restoreCommand } from './commands/restore.js';
import { demoCommand, type Demonstration } from './commands/demo.js';
import { eventsCommand } from './commands/events.js';
import { fundHistoryCommand } from './commands/fund-history.js';
import { householdsCommand } from './commands/households.js';
import { membershipsCommand } from './commands/memberships.js';
import { usersCommand } from './commands/users.js';
import { SERVICE_VERSION } from '#runtime/service-version';
import type { Terminal } from './output/terminal.js';

export type { Demonstration };

const ABOUT =
  'Looks after a household ledger: for operators and auditors. In the directory of the project, `ledger …` is ' +
  '`npx ledger …`.\n\n' +
  'Works on the stores of a server with the same settings (the environment, or .env in this directory), also while ' +
  'that server runs. Commands that only look never write to the stores.';

const MORE = `
Exit codes: 0 done; 1 failed, or done and something is wrong; 2 wrong usage.
Amounts in JSON are minor units of the household's currency. Times are UTC.

Examples:
  $ ledger demo                                    # try it, with a household that has a history
  $ ledger households                              # the households and their ids
  $ ledger projections status                      # whether the read models keep up
  $ ledger projections verify                      # whether anything was tampered with
  $ ledger backup /backups/ledger.backup           # a copy of everything, while the server runs
  $ DATA_DIR=/var/lib/ledger ledger users --json   # of another server
`;

/** The whole program. Parsing throws what `run-ledger.ts` turns into an exit code. */
export function ledgerProgram(terminal: Terminal, demonstration: Demonstration): Command {
  const program = new Command('ledger')
    .description(ABOUT)
    .version(SERVICE_VERSION, '--version', 'print the version')
    .addHelpText('after', MORE);
  const commands = [
    householdsCommand(terminal),
    usersCommand(terminal),
    eventsCommand(terminal),
    fundHistoryCommand(terminal),
    membershipsCommand(terminal),
    projectionsCommand(terminal),
    backupCommand(terminal),
    restoreCommand(terminal),
    demoCommand(demonstration),
  ];
  for (const command of commands) program.addCommand(command);
  configure(program);
  return program;
}

/** Settings that commander passes on only to commands made by the program itself. */
function configure(command: Command): void {
  command.exitOverride().showHelpAfterError(`(${pathOf(command)} --help tells how)`);
  for (const each of command.commands) configure(each);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
