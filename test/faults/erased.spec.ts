// What was erased stays erased: after a kill at any moment, and after an older backup was put back.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ledger } from '../cli/ledger-program.scenario.js';
import { LedgerProcess, type Answer } from '../ledger-process.js';
import { storedBytes } from '../stored-bytes.js';

const PASSWORD = 'a-lighthouse-in-the-fog';
/** From the call to the kill: before the record, in the midst of it, and after the answer. */
const KILLED_AFTER_MS = [0, 4, 9, 18, 60];

let count = 0;

function transaction(merchant: string): object {
  const id = `01JZ${String(++count).padStart(22, '0')}`;
  return { id, type: 'expense', amount: 100, date: '2026-01-10', merchant, splits: [] };
}

describe('what was erased', () => {
  let directory: string;
  let server: LedgerProcess;
  let token: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'erased-'));
    server = await LedgerProcess.start({ directory });
    token = await server.signUp(directory);
    await server.call('POST', '/transactions', { token, body: transaction('Kept') });
  });
  after(async () => {
    await server.end('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  const inHousehold = (id: string) => ({ 'X-Service-Household': id });
  const list = (id: string): Promise<Answer> =>
    server.call('GET', '/transactions?view=untracked', { token, headers: inHousehold(id) });
  const remove = (id: string, name: string): Promise<Answer> =>
    server.call('DELETE', `/households/${id}`, { token, body: { name } });

  async function household(secret: string): Promise<string> {
    const { body } = await server.call('POST', '/households', { token, body: { name: secret } });
    const id = String(body['id']);
    await server.call('POST', '/months/2026-01', { token, headers: inHousehold(id) });
    for (let one = 0; one < 20; one++) {
      const headers = inHousehold(id);
      await server.call('POST', '/transactions', { token, headers, body: transaction(`Shop ${secret}`) });
    }
    return id;
  }

  async function restart(): Promise<void> {
    server = await LedgerProcess.start({ directory });
    await server.ready();
  }

  async function assertGone(id: string, secret: string): Promise<void> {
    assert.deepEqual([(await list(id)).status, (await remove(id, secret)).status], [403, 403]);
    await server.until(async () => !(await storedBytes(directory)).includes(secret), 'to erase everything');
    const { stdout } = await ledger(['projections', 'verify'], { directory });
    assert.match(stdout, /^Sound: /m);
  }

  it('is wholly there or wholly gone after a kill', async () => {
    const outcomes = new Set<string>();
    for (const [at, ms] of KILLED_AFTER_MS.entries()) {
      const secret = `household-secret-${at}x`;
      const id = await household(secret);
      const removed = remove(id, secret).catch(() => null);
      await pause(ms);
      await server.end('SIGKILL');
      const answer = await removed;
      await restart();
      const { status, body } = await list(id);
      if (status === 403) await assertGone(id, secret);
      else assert.equal((body['transactions'] as unknown[]).length, 20);
      if (answer)
        assert.deepEqual([answer.status, status], [204, 403], 'an acknowledged deletion is not lost');
      outcomes.add(status === 403 ? 'gone' : 'there');
    }
    assert.ok(outcomes.has('gone'), [...outcomes].join());
  });

  it('stays away where a backup from before is put back', async () => {
    const secret = 'household-in-the-backup';
    const [id, other] = [await household(secret), await household('another household')];
    const email = 'leaver@example.com';
    const leaver = await server.signUp(directory, email);
    const backup = join(directory, 'older.backup');
    assert.equal((await ledger(['backup', backup], { directory })).code, 0);
    const heads = join(directory, 'heads.json');
    const { stdout: noted } = await ledger(['projections', 'verify', '--json'], { directory });
    writeFileSync(heads, noted);
    assert.equal((await remove(id, secret)).status, 204);
    const left = await server.call('DELETE', '/me', { token: leaver, body: { password: PASSWORD } });
    assert.equal(left.status, 204);
    await server.end('SIGTERM');
    const restored = await ledger(['restore', '--replace', backup], { directory });
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(restored.stdout, /The next start repeats \d+ deletions of households and accounts\./);
    rmSync(backup);
    await restart();
    await assertGone(id, secret);
    assert.equal(((await list(other)).body['transactions'] as unknown[]).length, 20);
    const body = { email, password: PASSWORD, client: 'mobile' };
    assert.equal((await server.call('POST', '/auth/password/sign-in', { body })).status, 401);
    assert.ok(!(await storedBytes(directory)).includes(email));
    const verified = await ledger(['projections', 'verify', '--expect', heads], { directory });
    assert.match(
      verified.stdout,
      new RegExp(`^Household ${id} was erased on .* UTC, with the expected head`, 'm'),
    );
    assert.equal(verified.code, 0, verified.stdout);
  });
});
