// `scripts/build.mjs` on a project of one source: every program that it is called for serves what the sources say now.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Compiled tests stand in dist/test. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('the build', () => {
  let project: string;
  const source = (): string => join(project, 'apps', 'program.ts');
  const program = (): string => join(project, 'dist', 'apps', 'program.js');

  before(() => {
    project = mkdtempSync(join(tmpdir(), 'ledger-build-'));
    for (const file of ['tsconfig.json', 'package.json', 'package-lock.json', 'scripts']) {
      cpSync(join(ROOT, file), join(project, file), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    mkdirSync(join(project, 'apps'));
  });

  after(() => rmSync(project, { recursive: true, force: true }));

  const run = () =>
    spawnSync(process.execPath, [join(project, 'scripts', 'build.mjs')], { encoding: 'utf8' });

  /** @returns whether it compiled anything */
  function build(): boolean {
    const { status, stderr } = run();
    assert.equal(status, 0, stderr);
    return stderr.includes('Building …');
  }

  beforeEach(() => {
    writeFileSync(source(), 'export const amount = 1;\n');
    build();
  });

  it('compiles nothing where nothing has changed', () => {
    assert.equal(build(), false);
  });

  it('compiles a source that has changed', () => {
    writeFileSync(source(), 'export const amount = 2;\n');
    assert.equal(build(), true);
    assert.match(readFileSync(program(), 'utf8'), /amount = 2/);
  });

  it('compiles anew what another tool has written', () => {
    writeFileSync(program(), 'export const amount = 3;\n');
    assert.equal(build(), true);
    assert.match(readFileSync(program(), 'utf8'), /amount = 1/);
  });

  it('compiles anew what is gone, also without its stamp', () => {
    rmSync(program());
    assert.equal(build(), true);
    assert.equal(existsSync(program()), true);
    rmSync(program());
    rmSync(join(project, 'dist', '.stamp'));
    assert.equal(build(), true);
    assert.equal(existsSync(program()), true);
  });

  it('leaves nothing of a source that is gone', () => {
    writeFileSync(join(project, 'apps', 'former.ts'), 'export const amount = 4;\n');
    assert.equal(build(), true);
    rmSync(join(project, 'apps', 'former.ts'));
    assert.equal(build(), true);
    assert.equal(existsSync(join(project, 'dist', 'apps', 'former.js')), false);
  });

  it('builds the web app when its sources have changed, and only then, compressed once', () => {
    const web = join(project, 'apps', 'web');
    mkdirSync(web);
    writeFileSync(join(web, 'index.html'), '<script type="module" src="/main.js"></script>');
    for (const word of ['one', 'two']) {
      writeFileSync(join(web, 'main.js'), `console.log('${`${word} `.repeat(500)}');`);
      assert.match(run().stderr, /Building the web app …/);
      const assets = join(project, 'dist', 'web', 'assets');
      const [script, ...others] = readdirSync(assets).filter(name => name.endsWith('.js'));
      assert.deepEqual(others, []);
      const text = readFileSync(join(assets, script!));
      assert.match(text.toString(), new RegExp(word));
      assert.deepEqual(brotliDecompressSync(readFileSync(join(assets, `${script}.br`))), text);
      assert.deepEqual(gunzipSync(readFileSync(join(assets, `${script}.gz`))), text);
      assert.equal(run().stderr, '');
    }
    rmSync(web, { recursive: true });
  });

  it('ends with an exit code where a source is wrong, and tries again', () => {
    writeFileSync(source(), 'export const amount: string = 1;\n');
    for (let time = 0; time < 2; time++) {
      const { status, stderr } = run();
      assert.equal(status, 1);
      assert.match(stderr, /program\.ts/);
    }
    writeFileSync(source(), 'export const amount = 1;\n');
    assert.equal(build(), true);
  });
});
