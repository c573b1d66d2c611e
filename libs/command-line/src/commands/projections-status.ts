import { Command } from 'commander';
import type { FailingHousehold } from '#background/failing-households';
import { PROJECTION_NAME } from '#background/projection-host';
import { LAG_EVENTS_MAX, readStoredProgress, type StoredProgress } from '#background/stored-progress';
import { readPointer, type FormerModels, type RebuildState } from '#streams/generations/generation-pointer';
import { latestGeneration } from '#streams/read-models';
import { count, counted, duration, moment } from '../output/formats.js';
import { Table, type Column } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { whileReading } from '../reading.js';

const FAILING: readonly Column<FailingHousehold>[] = [
  { title: 'FAILING HOUSEHOLD', text: ({ householdId }) => householdId },
  { title: 'SINCE', text: ({ since }) => moment(since) },
  { title: 'REASON', text: ({ error }) => error },
];

const ABOUT =
  'Tells whether the read models keep up with the events.\n\n' +
  'A server stores how far it has come about once a second, so that a lag of a second means that it keeps up. JSON: ' +
  '{generation, former_generation, rebuild: {id, kind, phase} or null, position, last_position, lag_events, lag_seconds, failing: [{household_id, error, since}]}; ' +
  `lag_events is counted up to ${count(LAG_EVENTS_MAX)}.`;

const EXAMPLES = `
Examples:
  $ ledger projections status
  $ ledger projections status --json | jq '.failing | length'
`;

export function statusCommand(terminal: Terminal): Command {
  return new Command('status')
    .summary('tell whether the read models keep up with the events')
    .description(ABOUT)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json?: boolean }) => {
      const status = await whileReading(async ({ eventStore, documents, models }) => {
        const progress = await readStoredProgress(eventStore, documents, PROJECTION_NAME);
        const { rebuild, previous } = await readPointer(documents);
        return { progress, generation: latestGeneration(models), rebuild, previous };
      });
      if (json) await terminal.printJson(statusJson(status));
      else await printStatus(terminal, status);
    });
}

interface Status {
  readonly progress: StoredProgress;
  readonly generation: number;
  readonly rebuild: RebuildState | null;
  readonly previous: FormerModels | null;
}

function statusJson({ progress, generation, rebuild, previous }: Status): object {
  return {
    generation,
    former_generation: previous && latestGeneration(previous),
    rebuild: rebuild && { id: rebuild.id, kind: rebuild.kind, phase: rebuild.phase },
    position: progress.position,
    last_position: progress.lastPosition,
    lag_events: progress.lagEvents,
    lag_seconds: progress.lagSeconds,
    failing: progress.failing.map(({ householdId, error, since }) => {
      return { household_id: householdId, error, since };
    }),
  };
}

async function printStatus(terminal: Terminal, status: Status): Promise<void> {
  const { progress, generation, rebuild, previous } = status;
  const { lagEvents, lagSeconds, position, lastPosition, failing } = progress;
  const events = counted(lagEvents, 'event') + (lagEvents < LAG_EVENTS_MAX ? '' : ' or more');
  const lines = [
    `Generation     ${generation}`,
    `Position       ${lastPosition === null ? 'no event yet' : `${place(position)} of ${place(lastPosition)}`}`,
    `Lag            ${lagEvents === 0 ? 'none' : `${events}, ${duration(lagSeconds)}`}`,
    `Failing        ${failing.length === 0 ? 'no household' : counted(failing.length, 'household')}`,
  ];
  if (rebuild) lines.push(`Under way      ${rebuild.kind}, ${rebuild.phase}`);
  if (previous) {
    lines.push(
      `Kept           generation ${latestGeneration(previous)}, live until ${moment(previous.since)}`,
    );
  }
  await terminal.print(lines.join('\n'));
  if (failing.length === 0) return;
  await terminal.print('');
  await new Table(terminal, FAILING).print(failing);
}

/** Positions are of fixed width; people need no leading zeros. */
function place(position: string | null): string {
  return position === null ? 'the beginning' : position.replace(/^0+(?=.)/, '');
}
