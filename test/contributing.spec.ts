// The worked example of CONTRIBUTING.md, put into a copy of the libraries: it compiles, and its spec passes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Below the packages that the libraries import. */
const COPY = join(ROOT, 'dist', 'worked-example');
const COMPILER = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
const LINES_MAX = 120;

/** What goes into a file: as a whole, or into what the file declares under a name. */
interface Part {
  readonly path: string;
  readonly into: string | undefined;
  readonly code: string;
}

interface Project {
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

function section(): string {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  return /^## Adding a command\n[\s\S]*?(?=^## )/m.exec(text)![0];
}

/** Each part begins with a line that says where it goes: `// PATH` or `// PATH, in NAME`. */
function partsOf(text: string): Part[] {
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  return blocks.flatMap(block =>
    [...block.matchAll(/^\/\/ (libs\/\S+\.ts)(?:, in (\w+))?\n([\s\S]*?)(?=^\/\/ libs\/|$(?![\s\S]))/gm)].map(
      ([, path, into, code]) => ({ path: path!, into, code: code! }),
    ),
  );
}

function put({ path, into, code }: Part): void {
  const file = join(COPY, path);
  if (into === undefined) {
    assert.ok(!existsSync(file), `${path} is there already`);
    return writeFileSync(file, code);
  }
  const source = readFileSync(file, 'utf8');
  const declared = new RegExp(`^(export )?(interface|const) ${into}\\b.*\\{\n`, 'm');
  assert.match(source, declared, `${path} declares no ${into}`);
  writeFileSync(
    file,
    source.replace(declared, opening => opening + code),
  );
}

describe('the worked example of CONTRIBUTING.md', () => {
  before(() => {
    rmSync(COPY, { recursive: true, force: true });
    mkdirSync(COPY, { recursive: true });
    cpSync(join(ROOT, 'libs'), join(COPY, 'libs'), {
      recursive: true,
      filter: path => !/\/dist$|\.(spec|contract)\.ts$/.test(path),
    });
  });
  after(() => rmSync(COPY, { recursive: true, force: true }));

  it('has less than 120 lines, compiles with the sources and passes its own spec', () => {
    const text = section();
    assert.ok(text.trimEnd().split('\n').length < LINES_MAX);
    const parts = partsOf(text);
    for (const part of parts) put(part);
    const project = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as Project;
    const { tsBuildInfoFile: _, ...options } = project.compilerOptions;
    const compilerOptions = { ...options, outDir: 'built', incremental: false };
    const files = parts.filter(({ into }) => into === undefined).map(({ path }) => path);
    writeFileSync(join(COPY, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    run(COMPILER, '-p', COPY);
    const specs = files.filter(path => path.endsWith('.spec.ts'));
    assert.ok(specs.length > 0);
    for (const spec of specs) run(join(COPY, 'built', spec.replace(/\.ts$/, '.js')));
  });
});

function run(...args: readonly string[]): void {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  assert.equal(status, 0, stdout + stderr);
}
