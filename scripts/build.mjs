// Builds what changed since its last build: the programs into dist/, the package of the client into libs/client/dist, the
// web app into dist/web. Of each, a stamp with a hash of its sources and one of what was made of them decides, so that
// neither a checkout of another commit nor a touched clock nor another tool that writes there serves a stale build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressFilesBelow } from './compress-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const clientFolder = join(root, 'libs', 'client');
const clientPackage = join(clientFolder, 'dist');
const webFolder = join(root, 'apps', 'web');
const webApp = join(dist, 'web');
const programFolders = ['apps', 'libs', 'test'];
/** What the compiler knows of its last run: what it names as made, it does not make again. */
const compilerNotes = join(dist, '.tsbuildinfo');

/** One after the other. Where there are no sources, nothing is made. */
const parts = [
  {
    title: 'Building …',
    stamp: join(dist, '.stamp'),
    sources: programSources,
    output: programs,
    make: makePrograms,
  },
  {
    title: 'Building the client …',
    stamp: join(dist, '.client-stamp'),
    sources: () => filesBelow(join(clientFolder, 'src'), '.ts'),
    output: () => filesBelow(clientPackage),
    make: makeClientPackage,
  },
  {
    title: 'Building the web app …',
    stamp: join(dist, '.web-stamp'),
    sources: webSources,
    output: () => filesBelow(webApp),
    make: makeWebApp,
  },
];

function filesBelow(folder, ending = '') {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

function programSources() {
  // Of the web app's modules the compiler takes those that specs import.
  return programFolders
    .flatMap(folder => filesBelow(join(root, folder), '.ts'))
    .filter(file => !file.startsWith(clientPackage + sep));
}

function programs() {
  return programFolders.flatMap(folder => filesBelow(join(dist, folder), '.js'));
}

function webSources() {
  if (!existsSync(join(webFolder, 'index.html'))) return [];
  return [...filesBelow(webFolder), ...filesBelow(join(clientFolder, 'src'), '.ts')];
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

/** The hashes of the last build; undefined where there was none. */
function readStamp(file) {
  const [sources, output] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return { sources, output };
}

/** Runs a program of a package. Standard output belongs to the program that is run afterwards. */
function run(program, ...args) {
  const file = join(root, 'node_modules', program);
  return spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}

const COMPILER = 'typescript-native/bin/tsc';

function makePrograms(files, isOutputOurs) {
  if (!isOutputOurs) rmSync(compilerNotes, { force: true });
  const isRight = run(COMPILER, '-p', join(root, 'tsconfig.json'));
  if (isRight) removeOrphans(files);
  return isRight;
}

/** Compiled files whose source is gone would still be found by the test runner. */
function removeOrphans(files) {
  const wanted = new Set(files.map(file => relative(root, file).replace(/\.ts$/, '')));
  for (const file of programs()) {
    const source = relative(dist, file).replace(/\.js$/, '');
    if (!wanted.has(source)) {
      rmSync(file, { force: true });
      rmSync(`${file}.map`, { force: true });
    }
  }
}

function makeClientPackage() {
  rmSync(clientPackage, { recursive: true, force: true });
  return run(COMPILER, '-p', clientFolder);
}

function makeWebApp() {
  rmSync(webApp, { recursive: true, force: true });
  // The runner writes nothing into node_modules, which may belong to somebody else.
  const options = ['--outDir', webApp, '--logLevel', 'error', '--configLoader', 'runner'];
  const isMade = run('vite/bin/vite.js', 'build', webFolder, ...options);
  if (isMade) compressFilesBelow(webApp);
  return isMade;
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

/** Builds when it has to, with WEB=off all but the web app. @returns whether everything is now up to date */
export function build() {
  if (!existsSync(join(root, 'node_modules', 'typescript-native'))) {
    console.error('Dependencies are missing: run `npm ci` first.');
    return false;
  }
  return parts.filter(({ make }) => make !== makeWebApp || process.env.WEB !== 'off').every(buildPart);
}

function buildPart({ title, stamp, sources, output, make }) {
  const files = sources();
  const last = readStamp(stamp);
  const hash = hashOfSources(files);
  const isOutputOurs = last.output === hashOf(output());
  if (files.length === 0 || (isOutputOurs && last.sources === hash)) return true;
  if (!areDevelopmentDependenciesThere()) {
    console.error('The build needs the development dependencies: run `npm ci --include=dev` first.');
    return false;
  }
  console.error(title);
  rmSync(stamp, { force: true });
  const isRight = make(files, isOutputOurs);
  mkdirSync(dist, { recursive: true });
  // What the compiler made of wrong sources is its own as well: the next build need not begin anew.
  writeFileSync(stamp, `${isRight ? hash : 'wrong'}\n${hashOf(output())}\n`);
  return isRight;
}

if (process.argv[1] && statSync(process.argv[1]).ino === statSync(fileURLToPath(import.meta.url)).ino) {
  process.exit(build() ? 0 : 1);
}
