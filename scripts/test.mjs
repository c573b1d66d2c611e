// `npm test`: builds when it has to, runs every spec with Node's own test runner and ends with one line
// `N passed, N failed`. Arguments choose specs by a part of their path: `npm test -- ledger`.
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { build, requireNode } from './build.mjs';

/** More than there are cores: specs of processes and faults mostly wait. */
const FILES_AT_ONCE = Math.max(2, availableParallelism()) + 1;
/** A spec file that runs longer than this is stuck. */
const FILE_TIMEOUT_MS = 600_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);

function specFiles() {
  return ['apps', 'libs', 'test']
    .map(folder => join(root, 'dist', folder))
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile() && entry.name.endsWith('.spec.js'))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => wanted.length === 0 || wanted.some(part => relative(root, file).includes(part)))
    .sort();
}

requireNode();
if (!build()) process.exit(1);
const files = specFiles();
if (files.length === 0) {
  console.error(`No spec matches ${wanted.join(' ')}`);
  process.exit(1);
}
// No whole hour from UTC, so that a date or time which depends on the machine's time zone is wrong here.
process.env.TZ ??= 'America/St_Johns';
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --enable-source-maps`.trim();

let passed = 0;
let failed = 0;
let skipped = 0;
const failures = [];
const tests = run({ files, concurrency: FILES_AT_ONCE, timeout: FILE_TIMEOUT_MS });
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
    for (const notice of notices) console.log(notice);
    if (skipped > 0) console.log(`${skipped} skipped: they need what is not on this machine`);
    for (const failure of failures) console.log(`failed: ${failure}`);
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  });
});

function isTest(event) {
  return event.details?.type !== 'suite';
}
