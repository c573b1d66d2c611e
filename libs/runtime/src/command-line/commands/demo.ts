import { Command } from 'commander';

/** Runs a server with a household in it; the app gives it, as the modules of a server are its list. */
export type Demonstration = () => Promise<void>;

const EXAMPLES = `
Example:
  $ PORT=0 ledger demo      # on a free port
`;

export function demoCommand(demonstration: Demonstration): Command {
  return new Command('demo')
    .summary('run a server with a demo household')
    .description('Runs a server with a demo household on fresh embedded stores. It never touches real data.')
    .addHelpText('after', EXAMPLES)
    .action(demonstration);
}
