import { Command, Option } from 'commander';
import type { RebuildProgress } from '#background/rebuild/rebuild-lease';
import type { RebuildCommand } from '#background/rebuild/rebuild-work';
import type { OperatorOutcome } from '#runtime/command-watch';
import { readPointer } from '#streams/generations/generation-pointer';
import { householdIdFrom, momentUpTo } from '../arguments.js';
import { AlreadyReported, CommandFailed, WrongUsage } from '../failures.js';
import { Interruption } from '../interruption.js';
import { requireHousehold } from '../known-household.js';
import { counted } from '../output/formats.js';
import { Progress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { whileReading } from '../reading.js';

/** As `PROJECTION_NAMES`, which a spec compares: help must not wait for what they are declared with. */
export const PROJECTION_CHOICES = [
  'months',
  'identities',
  'untracked-counts',
  'fund-balances',
  'transactions',
  'merchants',
] as const;

const ABOUT_REBUILD =
  'Rebuilds the read models from the events while the service keeps running. Builds them next to the live ones, ' +
  'verifies them against the events, and switches to them in one step that every process confirms. The previous read ' +
  'models are kept for `roll-back` until `drop` or the next rebuild.\n\n' +
  'On embedded stores, a running server does the work; otherwise this process does it. To resume an interrupted ' +
  'rebuild, run the same command again. A running server or projector resumes it by itself.\n\n' +
  '--json prints {state, message, id, events, households_verified, inspected}; inspected names the collections that ' +
  '--to built.';

const EXAMPLES_REBUILD = `
Examples:
  $ ledger projections rebuild
  $ ledger projections rebuild --projection merchants
  $ ledger projections rebuild --household 01JZ0000000000000000000ABC
  $ ledger projections rebuild --to 2026-01-31T18:30:00Z    # as of then, for inspection
`;

/** Said where this program ends before what it began: Ctrl-C, or a store that is away for seconds. */
const GOES_ON =
  'ledger: The work is not cancelled. A running server or projector continues it; otherwise, run the same command ' +
  'again. `ledger projections status` shows its progress, `ledger projections give-up` cancels it.';

interface RebuildOptions {
  readonly projection?: string;
  readonly household?: string;
  readonly to?: string;
  readonly json?: boolean;
}

export function rebuildCommand(terminal: Terminal): Command {
  return new Command('rebuild')
    .summary('rebuild the read models while the service keeps running')
    .description(ABOUT_REBUILD)
    .addOption(
      new Option('--projection <name>', 'rebuild only this read model').choices([...PROJECTION_CHOICES]),
    )
    .option('--household <id>', 'repair only this household, in place', householdIdFrom)
    .option('--to <time>', 'build them as of this time, for inspection; they never go live', momentUpTo)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES_REBUILD)
    .action(async (options: RebuildOptions) => {
      refuseCombination(options);
      const { projection, household, to, json } = options;
      if (household !== undefined) await whileReading(stores => requireHousehold(stores, household));
      const command = {
        command: 'rebuild',
        projection: projection ?? null,
        household: household ?? null,
        to: to ?? null,
      } as const;
      await carryOut(terminal, command, json === true, outcome => rebuilt(outcome, to));
    });
}

/** The server refuses these too; here they are told from what it cannot do now. @throws WrongUsage */
function refuseCombination({ projection, household, to }: RebuildOptions): void {
  if (projection === undefined) return;
  if (household !== undefined) {
    throw new WrongUsage('--household rebuilds all projections of the household. Leave out --projection.');
  }
  if (to !== undefined) {
    throw new WrongUsage('--to builds all projections. Leave out --projection.');
  }
}

export function rollBackCommand(terminal: Terminal): Command {
  return simple(terminal, 'roll-back', {
    summary: 'switch back to the previous read models',
    description:
      'Switches back to the read models that were live before the last rebuild. First applies the events recorded ' +
      'since, so nothing is lost. The service keeps running. A second roll-back returns to the newer read models.',
    done: () => 'The previous read models are live again.',
  });
}

export function dropCommand(terminal: Terminal): Command {
  return simple(terminal, 'drop', {
    summary: 'remove read models that are not live',
    description:
      'Removes the previous read models, which are kept for `roll-back`, and those built with `rebuild --to`.',
    done: async () =>
      (await onlyLiveModels())
        ? 'Nothing to remove: there are only the live read models.'
        : 'Removed all read models except the live ones.',
  });
}

function onlyLiveModels(): Promise<boolean> {
  return whileReading(async ({ documents }) => {
    const { previous, inspected, dropping } = await readPointer(documents);
    return previous === null && inspected === null && dropping.length === 0;
  });
}

export function giveUpCommand(terminal: Terminal): Command {
  return simple(terminal, 'give-up', {
    summary: 'cancel the running rebuild',
    description: 'Cancels a rebuild whose read models are not live yet, and removes what it has built.',
    done: () => 'The rebuild is cancelled. The live read models are unchanged.',
  });
}

interface SimpleText {
  readonly summary: string;
  readonly description: string;
  /** What people read at the end; asked before the work begins. */
  readonly done: () => string | Promise<string>;
}

function simple(terminal: Terminal, name: 'roll-back' | 'drop' | 'give-up', text: SimpleText): Command {
  return new Command(name)
    .summary(text.summary)
    .description(text.description)
    .option('--json', 'print one JSON document')
    .addHelpText('after', `\nExamples:\n  $ ledger projections ${name}\n`)
    .action(async ({ json }: { json?: boolean }) => {
      const done = json === true ? '' : await text.done();
      await carryOut(terminal, { command: name }, json === true, () => done);
    });
}

async function carryOut(
  terminal: Terminal,
  command: RebuildCommand,
  json: boolean,
  done: (outcome: OperatorOutcome) => string,
): Promise<void> {
  const [{ readConfiguration }, { operatorLog }, { operateProjections }] = await Promise.all([
    import('#runtime/configuration'),
    import('#runtime/log'),
    import('#runtime/projections-operator'),
  ]);
  const configuration = readConfiguration();
  const bar = new PhaseBar(terminal);
  let goesOn = false;
  const interruption = new Interruption();
  let outcome: OperatorOutcome;
  try {
    outcome = await operateProjections(configuration, operatorLog(configuration.logLevel), command, {
      begun: () => (goesOn = ['rebuild', 'roll-back'].includes(command.command)),
      advanced: progress => bar.show(progress),
      signal: interruption.signal,
    });
  } catch (error) {
    bar.end();
    if (goesOn) terminal.remark(GOES_ON);
    if (interruption.signal.aborted) throw new AlreadyReported();
    throw error;
  } finally {
    bar.end();
    interruption.end();
  }
  if (json) await terminal.printJson(outcomeJson(outcome));
  if (outcome.state === 'failed') throw new CommandFailed(outcome.message ?? 'The command failed.');
  if (!json) await terminal.print(done(outcome));
}

function outcomeJson({ state, message, progress, inspected }: OperatorOutcome): object {
  return {
    state,
    message,
    id: progress?.id ?? null,
    events: progress?.events ?? 0,
    households_verified: progress?.verified ?? 0,
    inspected,
  };
}

function rebuilt({ progress, inspected }: OperatorOutcome, to: string | undefined): string {
  const work = progress
    ? `${counted(progress.events, 'event')} replayed, ${counted(progress.verified, 'household')} verified.`
    : '';
  if (to === undefined) return `The read models are rebuilt. ${work}`.trim();
  return `The read models as of ${to} are in the collections ${inspected.join(', ')}. ${work}`.trim();
}

/** What people read of each phase. */
const PHASES: Readonly<Record<RebuildProgress['phase'], string>> = {
  replaying: 'Applying events',
  joining: 'Joining the live writes',
  verifying: 'Verifying',
  settling: 'Switching',
  mending: 'Repairing',
  returning: 'Switching',
};

/** A bar for each phase of a rebuild. */
class PhaseBar {
  private phase: RebuildProgress['phase'] | null = null;
  private bar: Progress | null = null;
  private message: string | null = null;

  constructor(private readonly terminal: Terminal) {}

  show({ phase, events, fraction, verified, message }: RebuildProgress): void {
    const verifies = phase === 'verifying';
    if (phase !== this.phase) {
      this.end();
      this.phase = phase;
      this.bar = new Progress(this.terminal.err, PHASES[phase], verifies ? 'households' : 'events');
    }
    if (verifies) this.bar?.moveTo(verified, null);
    else this.bar?.moveTo(events, fraction === null || fraction === 0 ? null : Math.round(events / fraction));
    if (message !== null && message !== this.message) this.terminal.remark(`ledger: ${message}`);
    this.message = message;
  }

  end(): void {
    this.bar?.end();
    this.bar = null;
  }
}
