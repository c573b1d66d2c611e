// The package of the client as others get it: packed, unpacked into an empty project, with nothing of this repository.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ok, useService, type Household } from '../acceptance/household.scenario.js';

/** Compiled tests stand in dist/test/client. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLIENT = join(ROOT, 'libs', 'client');
const PACKAGE = 'household-ledger-client';

const run = promisify(execFile);

/** What the client needs of the registry, with what that needs. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];

describe('the package of the client', () => {
  const service = useService();
  let project: string;
  let packed: readonly string[];

  before(async () => {
    project = mkdtempSync(join(tmpdir(), 'ledger-client-'));
    const modules = join(project, 'node_modules');
    mkdirSync(join(modules, PACKAGE), { recursive: true });
    // The build that this spec itself is of has made what is packed.
    const options = ['--ignore-scripts', '--json', '--pack-destination', project];
    const { stdout } = await run('npm', ['pack', ...options], { cwd: CLIENT });
    const [archive] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    packed = archive.files.map(({ path }) => path);
    const into = ['-C', join(modules, PACKAGE), '--strip-components', '1'];
    await run('tar', ['-xzf', join(project, archive.filename), ...into]);
    for (const name of DEPENDENCIES) {
      cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true });
    }
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  });

  after(() => rmSync(project, { recursive: true, force: true }));

  it('has its code, its types and its documentation, and no specs', () => {
    for (const path of ['dist/client.js', 'dist/client.d.ts', 'dist/generated.d.ts', 'README.md']) {
      assert.ok(packed.includes(path), path);
    }
    assert.deepEqual(
      packed.filter(path => path.includes('.spec.')),
      [],
    );
  });

  it('brings every package that it imports', () => {
    const { dependencies } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const { dependencies: ours } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const imported = packed
      .filter(path => /^dist\/.*\.js$/.test(path))
      .flatMap(path => [...readFileSync(join(CLIENT, path), 'utf8').matchAll(/from '([^.'][^']*)'/g)])
      .map(([, name]) => name!);
    assert.deepEqual(new Set(imported), new Set(Object.keys(dependencies)));
    for (const [name, version] of Object.entries(dependencies)) assert.equal(ours[name], version);
  });

  it('is typed: what the API does not have does not compile', async () => {
    const source = (path: string): string =>
      `import { createClient, dataOf } from '${PACKAGE}';
       const ledger = createClient({ url: '' });
       export const month: string = (await dataOf(ledger.GET('${path}', { params: { path: { month: '2026-01' } } }))).month;`;
    writeFileSync(join(project, 'right.ts'), source('/months/{month}'));
    writeFileSync(join(project, 'wrong.ts'), source('/years/{month}'));
    const compile = (file: string): Promise<unknown> => {
      const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext'];
      const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
      return run(process.execPath, [compiler, ...options, '--lib', 'es2023,dom', file], { cwd: project });
    };
    await compile('right.ts');
    await assert.rejects(compile('wrong.ts'), { stdout: /years/ });
  });

  it('does what each example of its documentation says', async () => {
    const home = await service.stranger();
    const [first = '', ...others] = await examples(home);
    const names = others.map((text, at) => {
      writeFileSync(join(project, `example-${at}.js`), `${first}\n${text}`);
      return `./example-${at}.js`;
    });
    const program = names.map(name => `await import('${name}');`).join('\n');
    writeFileSync(join(project, 'examples.js'), program);
    const env = { ...process.env, LEDGER_TOKEN: home.user.token, NODE_OPTIONS: '' };
    const { stdout } = await run(process.execPath, ['examples.js'], { cwd: project, env });
    assert.equal(
      stdout,
      others
        .flatMap(printed)
        .map(line => `${line}\n`)
        .join(''),
    );
    assert.ok(others.length >= 9);
  });

  it('runs its example script', async () => {
    const home = await service.stranger();
    const script = join('node_modules', PACKAGE, 'examples', 'left.js');
    const { origin } = home.service;
    const env = { ...process.env, LEDGER_URL: origin, LEDGER_TOKEN: home.user.token, NODE_OPTIONS: '' };
    const none = run(process.execPath, [script, '2026-01'], { cwd: project, env });
    await assert.rejects(none, { code: 1, stderr: 'This household has no budget for 2026-01.\n' });
    ok(await home.post('/months/2026-01'), 201);
    const { stdout } = await run(process.execPath, [script, '2026-01'], { cwd: project, env });
    assert.match(stdout, /^Groceries: 0 of 0$/m);
  });

  /** The examples of the page, with the address of this service; its household is the caller's default one. */
  async function examples({ service: { origin } }: Household): Promise<string[]> {
    const page = readFileSync(join(project, 'node_modules', PACKAGE, 'README.md'), 'utf8');
    return [...page.matchAll(/```js\n(.*?)```/gs)].map(([, text]) =>
      text!.replace('http://127.0.0.1:3000', origin),
    );
  }

  /** What an example says that it prints. */
  function printed(example: string): string[] {
    return [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line!);
  }
});
