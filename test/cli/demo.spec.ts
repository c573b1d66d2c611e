// What a newcomer sees of the demo, and that everything it invites them to do is answered.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RunningLedger } from './ledger-program.scenario.js';

interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Me {
  readonly user: { readonly email: string };
  readonly household: { readonly id: string };
}

interface Month {
  readonly groups: readonly { readonly items: readonly { readonly is_fund: boolean }[] }[];
}

interface Transactions {
  readonly transactions: readonly { readonly merchant: string; readonly splits: readonly unknown[] }[];
}

const run = promisify(execFile);
/** Compiled tests stand in dist/test/cli. */
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** A word of a shell's line, in single quotes or bare. */
const WORD = /'([^']*)'|(\S+)/g;

/** What a printed line of `curl` sends, as a machine may have no curl. @throws Error where it is none */
function requestOf(line: string): Request {
  const [program, ...words] = [...line.matchAll(WORD)].map(([, quoted, bare]) => quoted ?? bare!);
  assert.equal(program, 'curl');
  const headers: Record<string, string> = {};
  const urls: string[] = [];
  let body: string | undefined;
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === '-sw') words.shift();
    else if (word === '-d') body = words.shift();
    else if (word === '-H') {
      const [name, value] = words.shift()!.split(': ');
      headers[name!] = value!;
    } else urls.push(word);
  }
  const [url] = urls;
  assert.ok(url !== undefined && urls.length === 1, line);
  return { url, headers, method: body === undefined ? 'GET' : 'POST', ...(body !== undefined && { body }) };
}

describe('the demo', () => {
  let directory: string;
  let demo: RunningLedger;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ledger-demo-'));
    const environment = { PORT: '0', TMPDIR: directory };
    demo = new RunningLedger(['--demo'], { directory, program: 'standalone', environment });
    await demo.until(() => demo.stdout.includes('Press Ctrl-C to stop.'));
  });
  after(async () => {
    demo.child.kill('SIGKILL');
    await demo.ended();
    rmSync(directory, { recursive: true, force: true });
  });

  /** What is printed after a word in the list of what there is. */
  function printed(name: string): string {
    const value = new RegExp(`^ +${name} {2,}(.+)$`, 'm').exec(demo.stdout)?.[1];
    assert.ok(value, `${name} is not printed: ${demo.stdout}`);
    return value;
  }

  async function read<T>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${printed('Token')}` };
    const response = await fetch(`${printed('API')}${path}`, { headers });
    assert.equal(response.status, 200, path);
    return (await response.json()) as T;
  }

  async function months(): Promise<string[]> {
    const { months } = await read<{ months: { month: string }[] }>('/months');
    return months.map(({ month }) => month);
  }

  it('says where it is, on a port of its own', async () => {
    assert.match(printed('API'), /^http:\/\/127\.0\.0\.1:[1-9]\d*\/v1$/);
    const page = await fetch(printed('API reference'));
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  });

  it('says how to sign in', async () => {
    const [email, password] = printed('Sign-in').split(' / ');
    const response = await fetch(`${printed('API')}/auth/password/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, client: 'mobile' }),
    });
    assert.equal(response.status, 200);
    const { me } = (await response.json()) as { readonly me: Me };
    assert.equal(me.user.email, email);
    assert.equal((await read<Me>('/me')).user.email, email, 'the token is the same person’s');
  });

  it('has three months up to the present one, with funds', async () => {
    const [first, second, third, ...more] = await months();
    assert.ok(first! < second! && second! < third!);
    assert.deepEqual(more, []);
    const { groups } = await read<Month>(`/months/${third}`);
    assert.ok(groups.some(({ items }) => items.some(({ is_fund }) => is_fund)));
  });

  it('has two members', async () => {
    const { household } = await read<Me>('/me');
    const { members } = await read<{ members: { role: string }[] }>(`/households/${household.id}/members`);
    assert.deepEqual(members.map(({ role }) => role).sort(), ['member', 'owner']);
  });

  it('has transactions that are split, and some that are not tracked yet', async () => {
    const tracked = await read<Transactions>('/transactions?view=tracked&limit=200');
    assert.ok(tracked.transactions.some(({ splits }) => splits.length > 1));
    const untracked = await read<Transactions>('/transactions?view=untracked');
    assert.ok(untracked.transactions.length > 0);
  });

  it('answers every call that it prints', async () => {
    const lines = demo.stdout.replaceAll(/\\\n */g, '').match(/^ *curl .*$/gm) ?? [];
    const answers: unknown[] = [];
    for (const line of lines) {
      const { url, ...request } = requestOf(line);
      assert.equal(request.headers['Authorization'], `Bearer ${printed('Token')}`);
      const response = await fetch(url, request);
      answers.push([request.method, response.status]);
      assert.notDeepEqual(await response.json(), {});
    }
    assert.deepEqual(answers, [
      ['GET', 200],
      ['GET', 200],
      ['POST', 201],
    ]);
    const untracked = await read<Transactions>('/transactions?view=untracked&limit=200');
    assert.ok(untracked.transactions.some(({ merchant }) => merchant === 'Bakery'));
  });

  it('answers the line for operators that it prints, in the project’s directory', async () => {
    const [line] = demo.stdout.match(/^ *DATA_DIR=.* npx ledger .*$/m) ?? [];
    assert.ok(line, demo.stdout);
    const { stdout } = await run('sh', ['-c', line], { cwd: PROJECT });
    const { household } = await read<Me>('/me');
    assert.match(stdout, new RegExp(`^${household.id} `, 'm'));
  });

  it('ends with code 0 on SIGTERM, and leaves what it made where it said', async () => {
    demo.child.kill('SIGTERM');
    const { code, stderr } = await demo.ended();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const [made] = printed('Data').split(' ');
    assert.ok(existsSync(join(made!, 'ledger.db')));
    assert.deepEqual(
      readdirSync(directory).map(name => join(directory, name)),
      [made],
    );
  });
});
