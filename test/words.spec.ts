// House words that the field's terms replaced. Documents and comments use the terms, which a newcomer knows.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Compiled tests stand in dist/test. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What is refused, as a regular expression, and what to write instead. */
const REPLACED: readonly (readonly [house: string, field: string])[] = [
  [String.raw`(?<!in-)\bflights?\b`, 'in-flight batch'],
  [String.raw`\blanes?\b|\bwaiting line\b`, 'keyed queue'],
  [String.raw`\blive pointer\b`, 'active version'],
  [String.raw`\bpresences?\b`, 'heartbeat'],
  [String.raw`\bdut(?:y|ies)\b`, 'outbox message'],
  [String.raw`\bruns? ahead\b`, 'catch-up'],
  [String.raw`\bin the making\b`, 'bulk build, or unfinished'],
  [String.raw`\bways? back\b`, 'inverse'],
  [String.raw`\bknown households?\b`, 'loaded household'],
  [String.raw`\b(?:a|one|each|every|last|next|first) looks?\b(?!-)`, 'read, poll or query'],
  [String.raw`\b(?:what|nothing that) (?:is|was) answered\b`, 'response, or acknowledged'],
  [String.raw`\bnobody\b`, 'the actor, or a passive verb'],
  [String.raw`\bwhoever\b`, 'the actor'],
  [String.raw`\banew\b`, 'again'],
  [String.raw`\bas it stands\b`, 'present'],
  [String.raw`\bwhere there is\b`, 'if there is, or with'],
  [String.raw`(?<!\bthere )\b(?:is|are) no\b(?! longer)`, 'is not a'],
  [String.raw`\bin place of\b`, 'instead of'],
  [String.raw`\bsaid but empty\b`, 'set and empty'],
  [String.raw`\btells? (?:how|whether)\b`, 'shows, reports'],
];

/** Where a word is the right one. */
const RIGHT = [
  { path: 'docs/security.md', text: 'one lane', why: 'a parameter of argon2id' },
  { path: 'libs/identity/src/accounts/passwords.ts', text: 'one lane', why: 'the same' },
  { path: 'docs/operations.md', text: 'read_model_presences', why: 'a collection that has this name' },
];

const REFUSED = new RegExp(REPLACED.map(([house]) => house.replaceAll(' ', String.raw`\s+`)).join('|'), 'gi');

/** What `npm run generate` writes repeats the API's texts. */
const LEFT_OUT = 'libs/client/src/generated.ts';

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      entry =>
        entry.isFile() && name.test(entry.name) && !/\/(?:dist|node_modules)\//.test(`${entry.parentPath}/`),
    )
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)));
}

/** The same text, of the same length, with everything but comments blank, and each comment in one line. */
function commentsOf(source: string): string {
  const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*(?:\n[ \t]*\/\/.*)*/gm;
  let text = '';
  for (const { 0: comment, index } of source.matchAll(comments)) {
    text =
      text.padEnd(index) + comment.replaceAll(/\n[ \t]*(?:\*|\/\/)?/g, prefix => ' '.repeat(prefix.length));
  }
  return text;
}

/** Refused words of a text, as `path:line: words`. @param text of the same length as the file's */
function refusedIn(path: string, text: string, file: string): string[] {
  const right = RIGHT.filter(each => each.path === path);
  return [...text.matchAll(REFUSED)]
    .filter(
      ({ index }) => !right.some(each => file.slice(Math.max(0, index - 20), index + 20).includes(each.text)),
    )
    .map(({ 0: words, index }) => {
      return `${path}:${file.slice(0, index).split('\n').length}: ${words.replaceAll(/\s+/g, ' ')}`;
    });
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('the field’s words', () => {
  const instead = REPLACED.map(([house, field]) => `${house} → ${field}`).join('\n');

  it('are those of the documents', () => {
    const paths = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)];
    const found = paths.flatMap(path => refusedIn(path, read(path), read(path)));
    const newest = read('CHANGELOG.md').split('\n## ').slice(0, 2).join('\n## ');
    assert.deepEqual([...found, ...refusedIn('CHANGELOG.md', newest, newest)], [], instead);
  });

  it('are those of comments', () => {
    const paths = ['libs', 'apps']
      .flatMap(folder => filesIn(folder, /\.tsx?$/))
      .filter(path => path !== LEFT_OUT);
    const found = paths.flatMap(path => refusedIn(path, commentsOf(read(path)), read(path)));
    assert.deepEqual(found, [], instead);
  });

  it('are found in comments of every shape, and in no code', () => {
    const source =
      'const anew = 1; // is\n  // no fund\n/** A\n * flight. */\nconst url = "http://whoever";\n';
    assert.deepEqual(refusedIn('a.ts', commentsOf(source), source), ['a.ts:1: is no', 'a.ts:4: flight']);
  });
});
