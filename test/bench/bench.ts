// `npm run bench`: what the service does in a second, beside what the platform allows in the same run.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { appendHistories, FULL, QUICK, signUp, type Sizes } from './bench-households.js';
import { tableOf, type Figure } from './figures.js';
import { WorkerProcess } from './worker-process.js';
import { postsWithClients } from './changes-measures.js';
import { pastOfOldHousehold } from './past-measures.js';
import { filesOfPost } from './path-measures.js';
import { onServers } from './distributed-measures.js';
import { authenticationAgainstNone, readsDuringSignIns } from './identity-measures.js';
import { previewsOfWholeFile } from './import-measures.js';
import { LedgerServer } from './ledger-server.js';
import type { LoadGenerator } from './load-generator.js';
import {
  batchesAgainstPosts,
  copyAccounts,
  firstCommandAfterRestart,
  oldAgainstYoung,
  peakMemory,
  projectionAgainstReading,
  routesAgainstFloor,
  searchAgainstScan,
  stateOfOldHousehold,
  type Bench,
} from './measures.js';
import { manySmallHouseholds } from './scale-measures.js';
import { waitsInBrowser } from './web-measures.js';
import { syncAgainstList } from './sync-measures.js';
import { waitsBehindLargeCommands } from './wait-measures.js';

const PARTS = [
  'path',
  'routes',
  'batch',
  'age',
  'search',
  'as_of',
  'sync',
  'sse',
  'waits',
  'imports',
  'identity',
  'restart',
  'projection',
  'web',
  'servers',
  'scale',
] as const;
type Part = (typeof PARTS)[number];
/** Takes longer than all others together. */
const ON_REQUEST: Part = 'scale';
const DEFAULT = PARTS.filter(part => part !== ON_REQUEST);
/** Those that the one server on embedded stores is measured by. */
const EMBEDDED: readonly Part[] = [
  'routes',
  'batch',
  'age',
  'search',
  'as_of',
  'sync',
  'sse',
  'waits',
  'imports',
  'identity',
  'restart',
];

const begun = performance.now();

function progress(text: string): void {
  process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}

/** Everything that needs a running server. */
async function againstServer(directory: string, sizes: Sizes, wanted: ReadonlySet<Part>): Promise<Figure[]> {
  mkdirSync(directory, { recursive: true });
  let server = await LedgerServer.start(directory);
  const households = await signUp(server, directory, sizes);
  await server.stop();
  copyAccounts(directory);
  await appendHistories(directory, households, sizes);
  progress('histories made');
  server = await LedgerServer.start(directory);
  await server.ready();
  progress('histories projected');
  const load = WorkerProcess.start<LoadGenerator>('load-generator.js');
  const bench: Bench = { directory, sizes, households, load, progress };
  const figures: Figure[] = [];
  if (wanted.has('routes')) figures.push(...(await routesAgainstFloor(bench, server)));
  if (wanted.has('batch')) figures.push(await batchesAgainstPosts(bench, server));
  if (wanted.has('age')) figures.push(...(await oldAgainstYoung(bench, server)));
  if (wanted.has('search')) figures.push(await searchAgainstScan(bench, server));
  if (wanted.has('as_of')) figures.push(await pastOfOldHousehold(bench, server));
  if (wanted.has('sync')) figures.push(...(await syncAgainstList(bench, server)));
  if (wanted.has('sse')) figures.push(...(await postsWithClients(bench, server)));
  if (wanted.has('waits')) figures.push(await waitsBehindLargeCommands(bench, server));
  if (wanted.has('imports')) figures.push(...(await previewsOfWholeFile(bench, server)));
  if (wanted.has('identity')) figures.push(await readsDuringSignIns(bench, server));
  if (wanted.has('restart')) {
    const restarted = await firstCommandAfterRestart(bench, server);
    figures.push(restarted.figure);
    server = restarted.server;
  }
  await server.stop();
  if (wanted.has('identity')) figures.push(await authenticationAgainstNone(bench));
  await load.stop();
  if (wanted.has('restart')) figures.push(await stateOfOldHousehold(bench));
  return figures;
}

async function measured(directory: string, sizes: Sizes, wanted: ReadonlySet<Part>): Promise<Figure[]> {
  const figures: Figure[] = [];
  if (wanted.has('path')) figures.push(await filesOfPost(progress));
  const peaks: (number | null)[] = [];
  if (EMBEDDED.some(part => wanted.has(part))) {
    figures.push(...(await againstServer(join(directory, 'server'), sizes, wanted)));
    peaks.push(LedgerServer.peakMemory);
  }
  if (wanted.has('projection')) {
    const projected = await projectionAgainstReading(join(directory, 'log'), sizes, progress);
    figures.push(...projected.figures);
    peaks.push(projected.peakMemory);
  }
  if (wanted.has('web'))
    figures.push(...(await waitsInBrowser(join(directory, 'web'), sizes.rounds, progress)));
  if (wanted.has('servers')) figures.push(...(await onServers(join(directory, 'servers'), sizes, progress)));
  const peak = peakMemory(peaks);
  if (wanted.has('scale'))
    figures.push(...(await manySmallHouseholds(join(directory, 'scale'), sizes, progress)));
  return [...figures, ...peak];
}

interface BenchOptions {
  readonly json?: true;
  readonly quick?: true;
  readonly only?: readonly Part[];
}

const EXIT_WRONG_USAGE = 2;

function optionsGiven(): BenchOptions {
  return new Command('npm run bench --')
    .description(
      'Measures the service, each figure beside a floor of the same run. All but `scale` takes 12 to 15 minutes; ' +
        '`--only scale` makes 50,000 small households, which takes about ten minutes too.',
    )
    .addOption(new Option('--json', 'print one JSON array of figures, and nothing else'))
    .addOption(new Option('--quick', 'smaller histories, about a minute'))
    .addOption(new Option('--only <part...>', 'measure these parts alone').choices(PARTS))
    .allowExcessArguments(false)
    .showHelpAfterError('Run with --help for usage.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_WRONG_USAGE))
    .parse()
    .opts<BenchOptions>();
}

const options = optionsGiven();
const directory = mkdtempSync(join(tmpdir(), 'household-ledger-bench-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
const figures = await measured(directory, options.quick ? QUICK : FULL, new Set(options.only ?? DEFAULT));
if (options.json) {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} else {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  process.stdout.write(
    `\n${tableOf(figures)}\n\n${availableParallelism()} × ${processor}, Node ${process.version}\n`,
  );
}
process.exitCode = figures.every(({ ok }) => ok) ? 0 : 1;
