import { Command } from 'commander';
import type { FailingHousehold } from '#engine/projector/failing-households';
import { readProgress, REBUILD_PROGRESS, type RebuildProgress } from '#engine/rebuild/rebuild';
import {
  FAILING_LISTED_MAX,
  LAG_EVENTS_MAX,
  readStoredProgress,
  type StoredProgress,
} from '#engine/projector/stored-progress';
import type { Documents } from '#storage/documents/documents';
import { readActiveVersion, type EndedRebuild, type RebuildState } from '#engine/versions/active-version';
import type { Configuration } from '../../configuration.js';
import { refuseLostEvents } from '../../lost-files.js';
import { count, counted, duration, moment } from '../output/formats.js';
import type { Column, Terminal } from '../output/terminal.js';
import { type ReadableStores, whileReading } from '../reading.js';

const FAILING: readonly Column<FailingHousehold>[] = [
  { title: 'FAILING HOUSEHOLD', text: ({ householdId }) => householdId },
  { title: 'SINCE', text: ({ since }) => moment(since) },
  { title: 'REASON', text: ({ error }) => error },
];

const ABOUT =
  'Shows whether the read models are up to date with the events.\n\n' +
  'A server saves its position about once a second, so a lag of one second is normal.\n\n' +
  '--json prints {version, rebuild: {id, version, phase, events, households_verified, message} or null, ' +
  'last_rebuild: {id, failure} or null, position, last_position, lag_events, lag_seconds, failing: [{household_id, ' +
  'error, since}], more_failing}:\n' +
  '  message       what the rebuild waits for, or why it stopped\n' +
  `  lag_events    counted up to ${count(LAG_EVENTS_MAX)}\n` +
  '  lag_seconds   null if the time of the waiting events is unknown\n' +
  `  failing       households that cannot be projected, at most ${count(FAILING_LISTED_MAX)}\n` +
  '  more_failing  whether there are more of them';

const EXAMPLES = `
Examples:
  $ ledger projections status
  $ ledger projections status --json | jq '.failing | length'
`;

export function statusCommand(terminal: Terminal): Command {
  return new Command('status')
    .summary('show whether the read models are up to date')
    .description(ABOUT)
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json?: boolean }) => {
      const status = await whileReading(statusIn);
      if (json) await terminal.printJson(statusJson(status));
      else await printStatus(terminal, status);
    });
}

type Status = Awaited<ReturnType<typeof statusIn>>;

async function statusIn({ eventStore, documents, models }: ReadableStores, configuration: Configuration) {
  await refuseLostEvents(configuration, { eventStore, documents });
  const progress = await readStoredProgress(eventStore, documents);
  const { rebuild, ended } = await readActiveVersion(documents);
  // Null before a process works on it.
  const rebuilt = rebuild && (await progressOf(documents, rebuild));
  return { progress, version: models.version, rebuild, rebuilt, ended };
}

async function progressOf(documents: Documents, { id }: RebuildState): Promise<RebuildProgress | null> {
  await documents.ensure([REBUILD_PROGRESS]);
  const progress = await readProgress(documents);
  return progress?.id === id ? progress : null;
}

function statusJson({ progress, version, rebuild, rebuilt, ended }: Status): object {
  return {
    version,
    rebuild: rebuild && {
      id: rebuild.id,
      version: rebuild.version,
      phase: rebuild.phase,
      events: rebuilt?.events ?? 0,
      households_verified: rebuilt?.verified ?? 0,
      message: rebuilt?.message ?? null,
    },
    last_rebuild: ended,
    position: progress.position,
    last_position: progress.lastPosition,
    lag_events: progress.lagEvents,
    lag_seconds: progress.lagSeconds,
    failing: progress.failing.map(({ householdId: household_id, error, since }) => ({
      household_id,
      error,
      since,
    })),
    more_failing: progress.moreFail,
  };
}

async function printStatus(terminal: Terminal, status: Status): Promise<void> {
  const { failing } = status.progress;
  await terminal.print(linesOf(status).join('\n'));
  if (failing.length === 0) return;
  await terminal.print('');
  await terminal.printTable(FAILING, [failing]);
}

function linesOf({ progress, version, rebuild, rebuilt, ended }: Status): string[] {
  const { position, lastPosition } = progress;
  const lines = [
    `Version        ${version}`,
    `Position       ${lastPosition === null ? 'no events yet' : `${place(position)} of ${place(lastPosition)}`}`,
    `Lag            ${lagOf(progress)}`,
    `Failing        ${failingHouseholds(progress)}`,
  ];
  return [...lines, ...(rebuild ? linesOfRebuild(rebuild, rebuilt) : linesOfEnded(ended))];
}

/** How much waits for the projections, and for how long. */
export function lagOf({ lagEvents, lagSeconds }: Pick<StoredProgress, 'lagEvents' | 'lagSeconds'>): string {
  if (lagEvents === 0) return 'none';
  const events = counted(lagEvents, 'event') + (lagEvents < LAG_EVENTS_MAX ? '' : ' or more');
  return `${events}, ${lagSeconds === null ? 'unknown' : duration(lagSeconds)}`;
}

function failingHouseholds({ failing, moreFail }: StoredProgress): string {
  if (failing.length === 0) return 'no households';
  return counted(failing.length, 'household') + (moreFail ? ' or more; the first are listed' : '');
}

/** What is under way, how far it is, and what keeps it from going on. */
export function linesOfRebuild(
  { version, phase }: Pick<RebuildState, 'version' | 'phase'>,
  rebuilt: Pick<RebuildProgress, 'state' | 'events' | 'verified' | 'message'> | null,
): string[] {
  const events = counted(rebuilt?.events ?? 0, 'event');
  const households = counted(rebuilt?.verified ?? 0, 'household');
  const lines = [`Rebuilding     version ${version}, ${phase}: ${events} applied, ${households} verified`];
  if (rebuilt?.state === 'failed') lines.push(`Stopped        ${rebuilt.message}`);
  else if (rebuilt?.message) lines.push(`               ${rebuilt.message}`);
  return lines;
}

export function linesOfEnded(ended: EndedRebuild | null): string[] {
  return ended?.failure ? [`Last rebuild   failed: ${ended.failure}`] : [];
}

const POSITION_DIGITS = 20;

/** Without leading zeros: a position of embedded stores is one number, of EventStoreDB two, commit and prepare. */
export function place(position: string | null): string {
  if (position === null) return 'the beginning';
  const numbers = [position.slice(0, -POSITION_DIGITS), position.slice(-POSITION_DIGITS)];
  return numbers
    .filter(number => number !== '')
    .map(number => number.replace(/^0+(?=.)/, ''))
    .join('/');
}
