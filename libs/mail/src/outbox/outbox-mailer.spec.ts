import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MailRefused, MailUnavailable, type MailMessage } from '../mailer.js';
import { readMessage } from '../mime-reader.fixture.js';
import { OUTBOX_MS_MAX, OutboxMailer, type OutboxMailerOptions } from './outbox-mailer.js';

const START = Date.parse('2026-03-01T12:30:00.000Z');
const LINK = 'https://budget.example/verify?token=abc';

const message = (id: string): MailMessage => ({
  id,
  to: 'ann@example.com',
  subject: `Grüße ${id}`,
  text: `Open\n${LINK}\n`,
  html: `<a href="${LINK}">Open</a>\n`,
  links: [LINK],
});

describe('outbox mailer', () => {
  let parent: string;
  let directory: string;
  let now: number;
  let shown: string;

  const open = (options: Partial<OutboxMailerOptions> = {}): OutboxMailer =>
    new OutboxMailer({
      directory,
      now: () => now,
      terminal: { isTTY: false, write: text => (shown += text) },
      ...options,
    });
  const files = (): string[] => readdirSync(directory).sort();
  const ids = (): string[] => files().map(name => name.replace(/^.*Z-\d+-|\.eml$/g, ''));

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'outbox-'));
    directory = join(parent, 'data', 'outbox');
    now = START;
    shown = '';
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('writes each message as a file that only its owner reads', async () => {
    await open().send(message('a'));
    assert.deepEqual(files(), ['2026-03-01T12-30-00.000Z-0001-a.eml']);
    const file = join(directory, files()[0] ?? '');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    const { headers, text } = readMessage(readFileSync(file, 'latin1'));
    assert.equal(headers.get('to'), 'ann@example.com');
    assert.equal(headers.get('subject'), 'Grüße a');
    assert.equal(headers.get('date'), 'Sun, 01 Mar 2026 12:30:00 +0000');
    assert.ok(text.includes(LINK));
  });

  it('names files so that they sort by time, also within a millisecond and when the clock is set back', async () => {
    const mailer = open();
    await Promise.all(['z', 'y', 'x'].map(id => mailer.send(message(id))));
    now += 1;
    await mailer.send(message('w'));
    now -= 5_000;
    await mailer.send(message('v'));
    assert.deepEqual(ids(), ['z', 'y', 'x', 'w', 'v']);
  });

  it('never shows half a file', async () => {
    const mailer = open();
    await mailer.send(message('first'));
    const seen = new Set<string>();
    const watcher = watch(directory, (_, name) => {
      if (name?.endsWith('.eml') !== true) return;
      readMessage(readFileSync(join(directory, name), 'latin1'));
      seen.add(name);
    });
    await mailer.send({ ...message('large'), html: '<p>line</p>\n'.repeat(15_000) });
    const [, large = ''] = files();
    // File system events come with the next turns of the event loop.
    for (let turn = 0; turn < 1_000 && !seen.has(large); turn += 1) {
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    watcher.close();
    assert.ok(seen.has(large));
  });

  it('writes a repeated message once', async () => {
    await open().send(message('a'));
    now += 1_000;
    await open().send(message('a'));
    await open().send(message('b-a'));
    assert.deepEqual(ids(), ['a', 'b-a']);
  });

  it('keeps no more files than it may, the latest', async () => {
    const mailer = open({ filesMax: 3 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      now += 1;
      await mailer.send(message(id));
    }
    assert.deepEqual(ids(), ['c', 'd', 'e']);
  });

  it('removes old messages and what a killed writer left, and nothing else', async () => {
    const mailer = open();
    await mailer.send(message('old'));
    writeFileSync(join(directory, '.2026-03-01T12-30-00.000Z-0001-dead.eml.tmp'), 'half');
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    writeFileSync(join(directory, 'notes.eml'), 'mine');
    now += OUTBOX_MS_MAX + 1;
    const alive = `.${new Date(now).toISOString().replaceAll(':', '-')}-0001-alive.eml.tmp`;
    writeFileSync(join(directory, alive), 'half');
    await mailer.send(message('new'));
    assert.deepEqual(
      files().filter(name => !name.endsWith('-new.eml')),
      [alive, 'notes.eml', 'notes.txt'],
    );
  });

  it('shows the link on a terminal, without what could rule the terminal', async () => {
    const terminal = { isTTY: true, write: (text: string) => (shown += text) };
    const mailer = open({ terminal });
    await mailer.send({ ...message('a'), subject: 'From \u202E Ann' });
    assert.equal(shown, `Mail to ann@example.com: From  Ann\n  ${LINK}\n`);
  });

  it('shows nothing where standard output is no terminal', async () => {
    await open().send(message('a'));
    assert.equal(shown, '');
  });

  it('says that the folder cannot be written, and goes on when it can', async () => {
    const mailer = open();
    writeFileSync(join(parent, 'data'), 'in the way');
    await assert.rejects(mailer.send(message('a')), MailUnavailable);
    rmSync(join(parent, 'data'));
    await mailer.send(message('a'));
    assert.deepEqual(ids(), ['a']);
  });

  it('refuses a message that could become another', async () => {
    await assert.rejects(open().send({ ...message('a'), subject: 'a\r\nBcc: eve@example.com' }), MailRefused);
    await assert.rejects(open().send({ ...message('../../a') }), MailRefused);
  });

  it('finishes writing before it closes', async () => {
    const mailer = open();
    const sent = mailer.send(message('a'));
    await mailer.close();
    assert.deepEqual(ids(), ['a']);
    await sent;
  });
});
