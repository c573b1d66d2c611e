// What a look at the sources can tell. Which library may import which is dependency-cruiser's to check.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isErrorCode } from '#http/api-error';

/** Compiled tests stand in dist/test. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['apps', 'libs', 'test', 'scripts'].filter(folder => existsSync(join(ROOT, folder)));

/** Specs, and what only they use. */
const FOR_TESTS = /\.(spec|scenario|contract|fixture)\.ts$/;

const paths = FOLDERS.flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).map(entry =>
    relative(ROOT, join(entry.parentPath, entry.name)),
  ),
).filter(path => !path.startsWith('libs/client/dist/'));
/** What `npm run generate` writes is not ours to arrange. */
const GENERATED = 'libs/client/src/generated.ts';
const sources = paths.filter(path => /\.tsx?$/.test(path) && path !== GENERATED).sort();

/** A source's text without its comments, so that they may say what they like. */
function codeOf(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

function pure(library: string): string[] {
  return sources.filter(path => path.startsWith(`libs/${library}/src/`) && !FOR_TESTS.test(path));
}

/** Lines of the sources that match, as `path: text`. */
function offending(among: readonly string[], pattern: RegExp): string[] {
  return among.flatMap(path =>
    codeOf(path)
      .split('\n')
      .filter(line => pattern.test(line))
      .map(line => `${path}: ${line.trim()}`),
  );
}

describe('the sources', () => {
  it('are found', () => {
    assert.ok(sources.includes('test/architecture.spec.ts'));
    assert.ok(pure('ledger').includes('libs/ledger/src/events.ts'));
    assert.ok(pure('projections').length > 0);
  });

  it('have no folder or file that is named after no subject', () => {
    const named = paths.filter(path =>
      basename(path)
        .split(/[.-]/)
        .some(word => /^(utils?|commons?|shared|helpers?|misc)$/i.test(word)),
    );
    assert.deepEqual(named, [], 'name it after what it is about');
  });

  it('have no barrels', () => {
    const barrels = sources.filter(path => basename(path) === 'index.ts');
    assert.deepEqual(barrels, [], 'import the file itself');
    assert.deepEqual(offending(sources, /^\s*export \* from/), [], 'import the file itself');
  });

  it('switch no check off', () => {
    const switched = sources.filter(path =>
      /@ts-(ignore|expect-error|nocheck)|(ox|es)lint-disable|prettier-(?:ignore)/.test(
        readFileSync(join(ROOT, path), 'utf8'),
      ),
    );
    assert.deepEqual(switched, []);
    assert.deepEqual(offending(sources, /\b(it|test|describe|suite)\.(only|todo)\(|\bas any\b/), []);
  });
});

describe('the ledger', () => {
  it('imports nothing but itself', () => {
    assert.deepEqual(offending(pure('ledger'), /(from|import\()\s*'(?!\.\.?\/)/), []);
    for (const path of pure('ledger')) {
      const depth = path.split('/').length - 'libs/ledger/src/x.ts'.split('/').length;
      assert.ok(!codeOf(path).includes(`'${'../'.repeat(depth + 1)}`), `${path} reaches out of the ledger`);
    }
  });

  const surroundings =
    /\b(Date|Intl|process|console|crypto|performance|globalThis|require|fetch|set(Timeout|Interval|Immediate)|queueMicrotask|async|await)\b|\bMath\.random\b|\btoLocale/;
  for (const library of ['ledger', 'projections']) {
    it(`and what is pure knows no clock, chance, environment or waiting: ${library}`, () => {
      assert.deepEqual(offending(pure(library), surroundings), []);
    });
  }
});

describe('a refusal', () => {
  it('has a code that clients are told, with a status', () => {
    const codes = sources
      .filter(path => path.startsWith('libs/') && !FOR_TESTS.test(path))
      .flatMap(path => [...codeOf(path).matchAll(/\bnew Refusal\(\s*'(\w+)'/g)].map(([, code]) => code));
    assert.ok(codes.includes('undo_blocked'));
    assert.deepEqual(
      codes.filter(code => !isErrorCode(code)),
      [],
      'add it to ERRORS of libs/http',
    );
  });
});

describe('what a source exports', () => {
  const declared =
    /^export (?:async |abstract )*(?:class|function\*?|const|let|enum|interface|type) ([\w$]+)/gm;

  it('is named by another one', () => {
    const naming = new Map<string, number>();
    for (const path of sources) {
      for (const word of new Set(codeOf(path).match(/[\w$]+/g)))
        naming.set(word, (naming.get(word) ?? 0) + 1);
    }
    const unused = sources
      .flatMap(path => [...codeOf(path).matchAll(declared)].map(([, name]) => ({ path, name: name! })))
      .filter(({ name }) => naming.get(name) === 1)
      .map(({ path, name }) => `${path}: ${name}`);
    assert.deepEqual(unused, [], 'declare it without export');
  });
});

describe('a library', () => {
  function settings(file: string): Record<string, unknown> {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, unknown>;
  }

  it('is found under one name, in its source by the compiler and built by Node', () => {
    const folders = readdirSync(join(ROOT, 'libs')).map(name => [name, `libs/${name}/src`] as const);
    const named = [...folders, ['test-servers', 'test/servers'] as const];
    assert.deepEqual(
      settings('package.json')['imports'],
      Object.fromEntries(named.map(([name, folder]) => [`#${name}/*`, `./dist/${folder}/*.js`])),
    );
    const { paths } = settings('tsconfig.json')['compilerOptions'] as { readonly paths: unknown };
    assert.deepEqual(
      paths,
      Object.fromEntries(named.map(([name, folder]) => [`#${name}/*`, [`./${folder}/*.ts`]])),
    );
  });
});

describe('sources that only tests use', () => {
  it('are not imported by others', () => {
    const others = sources.filter(path => path.startsWith('libs/') && !FOR_TESTS.test(path));
    assert.deepEqual(
      offending(others, /from '(#test-servers\/.*|.*\.(spec|scenario|contract|fixture)(\.js)?)'/),
      [],
    );
  });
});
