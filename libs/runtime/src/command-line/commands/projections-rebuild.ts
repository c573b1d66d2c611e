import { Command } from 'commander';
import type { RebuildProgress } from '#engine/rebuild/rebuild';
import type { RebuildCommand } from '#engine/rebuild/rebuild-work';
import type { Step } from '../../backup/backup-file.js';
import type { OperatorOutcome } from '../../projections-operator.js';
import { AlreadyReported, CommandFailed } from '../failures.js';
import { Interruption } from '../interruption.js';
import { counted, duration } from '../output/formats.js';
import { showingProgress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';

const ABOUT_REBUILD =
  'Computes the read models again from the events while the service keeps running: builds a new version beside the ' +
  'active one, compares it with the events, switches every process to it, and drops the former version.\n\n' +
  'On embedded stores, a running server does the work; otherwise this process does it. To resume an interrupted ' +
  'rebuild, run the same command again. A running server or projector resumes it by itself.\n\n' +
  '--json prints {state, message, id, version, events, households_verified, seconds}.';

const EXAMPLES_REBUILD = `
Examples:
  $ ledger projections rebuild
`;

/** Said where this program ends before what it began: Ctrl-C, or a store that is away for seconds. */
const GOES_ON =
  'ledger: The work is not cancelled. A running server or projector continues it; otherwise, run the same command ' +
  'again. `ledger projections status` shows its progress, `ledger projections give-up` cancels it.';

export function rebuildCommand(terminal: Terminal): Command {
  return new Command('rebuild')
    .summary('rebuild the read models while the service keeps running')
    .description(ABOUT_REBUILD)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES_REBUILD)
    .action(({ json }: { json?: boolean }) => carryOut(terminal, 'rebuild', json === true, rebuilt));
}

export function giveUpCommand(terminal: Terminal): Command {
  return new Command('give-up')
    .summary('cancel the running rebuild')
    .description('Cancels a rebuild whose version is not active yet, and removes what it has built.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ ledger projections give-up\n')
    .action(({ json }: { json?: boolean }) =>
      carryOut(terminal, 'give-up', json === true, () => {
        return 'The rebuild is cancelled. The active read models are unchanged.';
      }),
    );
}

async function carryOut(
  terminal: Terminal,
  command: RebuildCommand,
  json: boolean,
  done: (outcome: OperatorOutcome) => string,
): Promise<void> {
  const outcome = await operate(terminal, command);
  if (json) await terminal.printJson(outcomeJson(outcome));
  if (outcome.state === 'failed') throw new CommandFailed(outcome.message ?? 'The command failed.');
  if (!json) await terminal.print(done(outcome));
}

/** @throws AlreadyReported where the operator interrupts it, and what `operateProjections` throws */
async function operate(terminal: Terminal, command: RebuildCommand): Promise<OperatorOutcome> {
  const { operateProjections } = await import('../../projections-operator.js');
  const interruption = new Interruption();
  let reason: string | null = null;
  let goesOn = false;
  try {
    return await showingProgress(terminal, onStep =>
      operateProjections(command, {
        begun: () => (goesOn = command === 'rebuild'),
        advanced: progress => {
          onStep(stepOf(progress));
          if (progress.message !== null && progress.message !== reason)
            terminal.remark(`ledger: ${progress.message}`);
          reason = progress.message;
        },
        signal: interruption.signal,
      }),
    );
  } catch (error) {
    if (goesOn) terminal.remark(GOES_ON);
    throw interruption.signal.aborted ? new AlreadyReported() : error;
  } finally {
    interruption.end();
  }
}

function outcomeJson({ state, message, progress }: OperatorOutcome): object {
  return {
    state,
    message,
    id: progress?.id ?? null,
    version: progress?.version ?? null,
    events: progress?.events ?? 0,
    households_verified: progress?.verified ?? 0,
    seconds: progress && secondsOf(progress),
  };
}

function rebuilt({ progress }: OperatorOutcome): string {
  if (!progress) return 'The read models are rebuilt.';
  const work = `${counted(progress.events, 'event')} applied, ${counted(progress.verified, 'household')} verified`;
  return `The read models are rebuilt as version ${progress.version}: ${work}, in ${duration(secondsOf(progress))}.`;
}

/** From the first attempt on, with all interruptions. */
function secondsOf({ startedAt, updatedAt }: RebuildProgress): number {
  return Math.max(0, (Date.parse(updatedAt) - Date.parse(startedAt)) / 1000);
}

const PHASES: Readonly<Record<RebuildProgress['phase'], string>> = {
  replaying: 'Applying events',
  joining: 'Catching up',
  verifying: 'Verifying',
  settling: 'Switching',
};

function stepOf({ phase, events, fraction, verified }: RebuildProgress): Step {
  const label = PHASES[phase];
  if (phase === 'verifying') return { label, unit: 'households', done: verified, total: null };
  return { label, unit: 'events', done: events, total: fraction ? Math.round(events / fraction) : null };
}
