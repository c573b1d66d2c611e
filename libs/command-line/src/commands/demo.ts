import { Command } from 'commander';

/** Runs a server with a household in it; the app gives it, as the modules of a server are its list. */
export type Demonstration = () => Promise<void>;

const EXAMPLES = `
Example:
  $ PORT=0 ledger demo      # on any free port
`;

export function demoCommand(demonstration: Demonstration): Command {
  return new Command('demo')
    .description(
      'run a server on fresh embedded stores, with a household to look at; real data is never touched',
    )
    .addHelpText('after', EXAMPLES)
    .action(demonstration);
}
