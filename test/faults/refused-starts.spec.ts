// The sentences that an operator reads when a server cannot start. Only the first describe needs processes.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { LEDGER_FILE } from '#storage/sqlite/ledger-database';
import { pino } from 'pino';
import { parseConfiguration } from '#runtime/configuration';
import { startServer } from '#runtime/serve';
import { LedgerProcess } from '../ledger-process.js';

const SILENT = pino({ level: 'silent' });

/** A server program that serves no routes. */
class NoRoutes {}

describe('a server that cannot start', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'refused-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('refuses a second server on one data directory with a sentence', async () => {
    const server = await LedgerProcess.start({ directory });
    const second = await LedgerProcess.ending({ directory });
    assert.equal(second.code, 1);
    assert.match(
      second.output,
      /^Cannot start: Another server or ledger command is using the data directory /,
    );
    assert.equal(second.output.trim().split('\n').length, 1);
    assert.equal(await server.end('SIGTERM'), 0);
    const third = await LedgerProcess.start({ directory });
    assert.equal(await third.end('SIGTERM'), 0);
  });

  it('says last why it cannot start, whatever its log has to say', async t => {
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const environment = { LOG_LEVEL: 'trace', PORT: String(port) };
    const { output } = await LedgerProcess.ending({ directory, environment });
    const lines = output.trimEnd().split('\n');
    assert.ok(lines.length > 1, 'nothing was logged');
    assert.match(lines.at(-1)!, /^Cannot start: Port /);
  });

  it('writes one sentence to standard error, without a secret, and ends with 1', async () => {
    const environment = { REDIS_URL: 'http://ann:s3cret@queue' };
    const { code, output } = await LedgerProcess.ending({ directory, environment });
    assert.equal(code, 1);
    assert.match(output, /^Cannot start: REDIS_URL must be a URL[^\n]*\n$/);
    assert.doesNotMatch(output, /s3cret/);
  });
});

describe('a start that is refused', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'refused-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** The sentence after `Cannot start: `. */
  async function refusal(environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const starting = async (): Promise<string> => {
      const configuration = parseConfiguration({ DATA_DIR: directory, PORT: '0', ...environment });
      const server = await startServer(configuration, SILENT, { projects: true }, () => NoRoutes);
      await server.stop();
      return `started with ${JSON.stringify(environment)}`;
    };
    return starting().catch((error: Error) => error.message);
  }

  it('names a file of its name that is no database and leaves it as it was', async () => {
    const file = join(directory, LEDGER_FILE);
    writeFileSync(file, 'These are the notes of somebody else.\n'.repeat(200));
    const bytes = readFileSync(file);
    assert.match(await refusal(), /^The file .*ledger\.db cannot be used: .*; move it away\b.*\.$/);
    assert.deepEqual(readFileSync(file), bytes);
  });

  it('names a file of its name of another program and leaves it as it was', async () => {
    const foreign = new DatabaseSync(join(directory, 'foreign.db'));
    foreign.exec(
      "PRAGMA application_id = 42; CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')",
    );
    foreign.close();
    const file = join(directory, LEDGER_FILE);
    copyFileSync(join(directory, 'foreign.db'), file);
    const bytes = readFileSync(file);
    assert.match(await refusal(), /^The file .*ledger\.db.*another program; .*\.$/);
    assert.deepEqual(readFileSync(file), bytes);
  });

  it('names the variable that is wrong in one sentence, and no secret', async t => {
    writeFileSync(join(directory, 'a-file'), 'notes');
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port: taken } = other.address() as AddressInfo;
    // Where no directory can be made, although there is the one above.
    const directoriesOfLinux = platform() === 'linux' ? ['/proc/ledger', '/proc/ledger/data'] : [];
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'many' }, /^PORT must be a number/],
      [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
      [{ SECRET_KEY: 'c2hvcnQ=' }, /^SECRET_KEY must be base64 of at least 32/],
      [{ MONGODB_URL: 'mongodb://ann:s3cret@db/x' }, /^SECRET_KEY is required/],
      [{ REDIS_URL: 'http://ann:s3cret@queue' }, /^REDIS_URL must be a URL/],
      [{ SMTP_URL: 'smtp://ann:s3cret%@mail' }, /^SMTP_URL has .* percent-encoded/],
      [
        { REDIS_URL: 'redis://:s3cret%b@queue', SECRET_KEY: randomBytes(32).toString('base64') },
        /^REDIS_URL has .* percent-encoded/,
      ],
      [{ ALLOWED_EMAILS: 'ann' }, /^ALLOWED_EMAILS must list addresses/],
      [{ DEFAULT_CURRENCY: 'euro' }, /^DEFAULT_CURRENCY must be a currency code of ISO 4217/],
      [{ TRUST_PROXY: 'bad' }, /^TRUST_PROXY must be true, false, or addresses/],
      [{ MAIL_FROM: 'nobody' }, /^MAIL_FROM must be an address/],
      [
        { DATA_DIR: join(directory, 'a-file', 'data') },
        /^DATA_DIR must be a directory; .* cannot be created/,
      ],
      [{ DATA_DIR: join(directory, 'a-file') }, /^DATA_DIR must be a directory; .* cannot be created/],
      ...directoriesOfLinux.map((name): [Record<string, string>, RegExp] => [
        { DATA_DIR: name },
        /^DATA_DIR must be a directory; .* cannot be created/,
      ]),
      [{ HOST: '192.0.2.1' }, /^HOST must be an address or name of this machine; 192\.0\.2\.1 is not /],
      [
        { HOST: 'nowhere.invalid' },
        /^HOST must be an address or name of this machine; nowhere\.invalid is not /,
      ],
      [
        { PORT: String(taken) },
        /^Port [0-9]+ on 127\.0\.0\.1 is already in use\. Set PORT to another port\.$/m,
      ],
    ];
    for (const [environment, sentence] of wrong) {
      const output = await refusal(environment);
      assert.match(output, sentence);
      assert.doesNotMatch(output, /s3cret|\n/);
    }
  });
});
