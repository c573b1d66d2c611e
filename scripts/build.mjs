// Compiles everything into dist/ when the sources changed since the last build, or what it made of them did, and only
// then. A stamp with a hash of either decides, so that neither a checkout of another commit nor a touched clock nor
// another tool that writes into dist/ serves a stale build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stampFile = join(dist, '.stamp');
/** What the compiler knows of its last run: what it names as made, it does not make again. */
const compilerNotes = join(dist, '.tsbuildinfo');
const sourceFolders = ['apps', 'libs', 'test'];
/** Compiled by Vite, for browsers. */
const webSources = join(root, 'apps', 'web');

function filesBelow(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

function sources() {
  return sourceFolders
    .flatMap(folder => filesBelow(join(root, folder), '.ts'))
    .filter(file => !file.startsWith(webSources + sep));
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function hashOfSources(files) {
  return hashOf([
    ...['tsconfig.json', 'package.json', 'package-lock.json'].map(name => join(root, name)),
    ...files,
  ]);
}

function output() {
  return sourceFolders.flatMap(folder => filesBelow(join(dist, folder), '.js'));
}

function hashOfOutput() {
  return hashOf(output());
}

/** The hashes of the last build; undefined where there was none. */
function readStamp() {
  const [sources, output] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split('\n') : [];
  return { sources, output };
}

/** Compiled files whose source is gone would still be found by the test runner. */
function removeOrphans(files) {
  const wanted = new Set(files.map(file => relative(root, file).replace(/\.ts$/, '')));
  for (const file of output()) {
    const source = relative(dist, file).replace(/\.js$/, '');
    if (!wanted.has(source)) {
      rmSync(file, { force: true });
      rmSync(`${file}.map`, { force: true });
    }
  }
}

/** Ends the process where its Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`This needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

/** With NODE_ENV=production or --omit=dev npm leaves them out, but for those that others bring, as the compiler. */
function areDevelopmentDependenciesThere() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(devDependencies).every(name => existsSync(join(root, 'node_modules', name)));
}

/** Builds when it has to. @returns whether dist/ is now up to date */
export function build() {
  if (!existsSync(join(root, 'node_modules', 'typescript-native'))) {
    console.error('Dependencies are missing: run `npm ci` first.');
    return false;
  }
  const files = sources();
  const stamp = readStamp();
  const hash = hashOfSources(files);
  const isOutputOurs = stamp.output === hashOfOutput();
  if (isOutputOurs && stamp.sources === hash) return true;
  if (!areDevelopmentDependenciesThere()) {
    console.error('The build needs the development dependencies: run `npm ci --include=dev` first.');
    return false;
  }
  console.error('Building …');
  rmSync(stampFile, { force: true });
  if (!isOutputOurs) rmSync(compilerNotes, { force: true });
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.json')], {
    cwd: root,
    // Standard output belongs to the program that is run afterwards.
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) removeOrphans(files);
  mkdirSync(dist, { recursive: true });
  // What the compiler made of wrong sources is its own as well: the next build need not begin anew.
  writeFileSync(stampFile, `${status === 0 ? hash : 'wrong'}\n${hashOfOutput()}\n`);
  return status === 0;
}

if (process.argv[1] && statSync(process.argv[1]).ino === statSync(fileURLToPath(import.meta.url)).ino) {
  process.exit(build() ? 0 : 1);
}
