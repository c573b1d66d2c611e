// Builds when it has to, runs specs with Node's own test runner and ends with one line `N passed, N failed`.
//   npm test              the quick specs, on embedded stores
//   npm run test:slow     specs of processes, faults, containers and real servers
//   npm test -- part      the specs whose path contains a part, quick or slow
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, requireNode } from './build.mjs';

/** More than there are cores: specs of processes and faults mostly wait. */
const FILES_AT_ONCE = Math.max(2, availableParallelism()) + 1;
/** A spec file that runs longer than this is stuck. */
const FILE_TIMEOUT_MS = 600_000;
/** Most of their time is the start of programs. */
const SLOW_PATHS = [
  'test/cli/',
  'test/client/',
  'test/docker.spec',
  'test/build.spec',
  'test/faults/',
  'test/observed/',
  'test/processes/',
  'test/self-hosting.spec',
  'test/web/',
];
/** Their specs share one process: to load the service takes longer than most of them. */
const SUITES = ['test/acceptance', 'test/identity', 'test/web'];
const SERVERS = ['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL'];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { slow: { type: 'boolean', default: false } },
});

const isSlow = path => SLOW_PATHS.some(slow => path.startsWith(slow));
const isInSuite = path => SUITES.includes(dirname(path));
const usesServers = path =>
  /#test-servers\/(?!eventstoredb-fake)/.test(readFileSync(join(root, 'dist', path), 'utf8'));

/** Paths below dist/. */
function specFiles() {
  return ['apps', 'libs', 'test']
    .map(folder => join(root, 'dist', folder))
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile() && entry.name.endsWith('.spec.js'))
    .map(entry => relative(join(root, 'dist'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(path => {
      if (parts.length > 0) return parts.some(part => path.includes(part));
      return values.slow ? isSlow(path) || usesServers(path) : !isSlow(path);
    })
    .sort();
}

/** One file that imports specs. @returns its path below dist/ */
function suiteOf(folder, paths) {
  const suite = `${folder}/.suite.mjs`;
  const imports = paths.map(path => `import './${basename(path)}';\n`);
  writeFileSync(join(root, 'dist', suite), imports.join(''));
  return suite;
}

/** What the test runner gets: the long ones first, so that none is left over at the end. */
function filesToRun(paths) {
  const suites = SUITES.flatMap(folder => {
    const members = paths.filter(path => dirname(path) === folder);
    return members.length > 1 ? [suiteOf(folder, members)] : members;
  });
  return [...suites, ...paths.filter(path => !isInSuite(path))].map(path => join(root, 'dist', path));
}

requireNode();
if (!build()) process.exit(1);
const paths = specFiles();
if (paths.length === 0) {
  console.error(`No spec matches ${parts.join(' ')}`);
  process.exit(1);
}
const isQuickRun = parts.length === 0 && !values.slow;
if (isQuickRun) {
  for (const name of SERVERS) delete process.env[name];
  process.env.TEST_SERVERS = 'none';
}
// No whole hour from UTC, so that a date or time which depends on the machine's time zone is wrong here.
process.env.TZ ??= 'America/St_Johns';
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --enable-source-maps`.trim();

let passed = 0;
let failed = 0;
let skipped = 0;
const failures = [];
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());
const tests = run({
  files: filesToRun(paths),
  concurrency: FILES_AT_ONCE,
  timeout: FILE_TIMEOUT_MS,
  signal: interrupted.signal,
});
tests.on('test:pass', event => {
  if (event.skip !== undefined) skipped++;
  else if (isTest(event)) passed++;
});
tests.on('test:fail', event => {
  if (!isTest(event) && event.details?.error?.failureType === 'subtestsFailed') return;
  failed++;
  failures.push(`${event.file ? relative(root, event.file) : ''} › ${event.name}`);
});
// Lines that specs print with this prefix say what could not run here, and why.
const notices = new Set();
tests.on('test:stdout', ({ message }) => {
  for (const line of message.split('\n')) if (line.startsWith('SKIPPED: ')) notices.add(line);
});
tests.compose(spec).pipe(process.stdout);
tests.on('end', () => {
  setImmediate(() => {
    if (isQuickRun)
      console.log('Left to `npm run test:slow`: processes, faults, command line, containers, servers');
    else for (const notice of notices) console.log(notice);
    if (skipped > 0 && !isQuickRun) console.log(`${skipped} skipped: this machine lacks what they need`);
    for (const failure of failures) console.log(`failed: ${failure}`);
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  });
});

function isTest(event) {
  return event.details?.type !== 'suite';
}
