import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Module, type OnModuleDestroy } from '@nestjs/common';
import { NestApplicationContext } from '@nestjs/core';
import { pino } from 'pino';
import type { Collection } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { ACCOUNTS, DEFAULT_SETTINGS, type Account } from '#identity/accounts/account-records';
import { ConfigurationError, parseConfiguration, type Configuration } from './configuration.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { startServer } from './serve.js';

const STOPPED_SERVER = fileURLToPath(new URL('./stopping.fixture.js', import.meta.url));

describe('stopping on a signal', () => {
  /** How a program ends that gets a SIGTERM. @param kind how its server stops */
  async function endOf(kind: string): Promise<{ readonly code: unknown; readonly log: string }> {
    const child = spawn(process.execPath, [STOPPED_SERVER, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (/"msg":"listening"/.test(log)) child.kill('SIGTERM');
    });
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, log };
  }

  it('ends with 0 once all is closed', async () => {
    const { code, log } = await endOf('stops');
    assert.equal(code, 0);
    assert.doesNotMatch(log, /"level":50/);
  });

  it('ends with 1 and says so where that fails', async () => {
    const { code, log } = await endOf('fails');
    assert.equal(code, 1);
    assert.match(log, /"msg":"stopping failed"/);
  });

  it('ends with 1 and says so where that does not end in time', async () => {
    const { code, log } = await endOf('hangs');
    assert.equal(code, 1);
    assert.match(log, /"level":50.*"msg":"did not stop in time"/);
  });
});

describe('a server on records of former releases', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'serve-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('names the accounts that share a mailbox, the older one first', async () => {
    const former: Collection<Account> = {
      name: ACCOUNTS.name,
      durability: 'durable',
      indexes: [{ name: 'email', equals: ['emailFolded'], unique: true }],
    };
    const { documents } = LedgerDatabase.open({ directory });
    await documents.ensure([former]);
    const addresses = ['ida@xn--bcher-kva.example', 'ida@bücher.example', 'ann@bücher.example'];
    for (const [index, email] of addresses.entries()) {
      const id = `01JZ8Q4T0V6W2X3Y4Z5A6B7C8${index}`;
      await documents.insert(former, {
        key: id,
        revision: 1,
        email,
        emailFolded: email,
        name: 'Ida',
        passwordHash: '',
        sessionEpoch: 0,
        survivingSession: null,
        personalHouseholdId: id,
        defaultHouseholdId: id,
        settings: DEFAULT_SETTINGS,
        createdAt: 9 - index,
      });
    }
    await documents.close();
    const log: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
    const configuration = parseConfiguration({ DATA_DIR: directory, PORT: '0' });
    const server = await startServer(configuration, logger, { projects: true }, () => class {});
    await server.stop();
    const told = log.filter(line => line.includes('share one mailbox'));
    assert.equal(told.length, 1);
    const { level, users } = JSON.parse(told[0]!) as { level: number; users: unknown };
    assert.deepEqual([level, users], [40, ['01JZ8Q4T0V6W2X3Y4Z5A6B7C81', '01JZ8Q4T0V6W2X3Y4Z5A6B7C80']]);
    assert.ok(!told[0]!.includes('ida@'));
  });
});

describe('a server that is closed', () => {
  const SILENT = pino({ level: 'silent' });
  let directory: string;
  let destroyed: number;

  @Module({})
  class Feature implements OnModuleDestroy {
    onModuleDestroy(): void {
      destroyed += 1;
    }
  }

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'serve-'));
    destroyed = 0;
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function configured(port: number): Configuration {
    return parseConfiguration({ DATA_DIR: directory, PORT: String(port) });
  }

  function assertGivenFree(): void {
    const lock = DataDirectoryLock.takeIfFree(directory);
    assert.ok(lock, 'the data directory is still held');
    lock.release();
  }

  it('gives its data directory free also where the application does not end in order', async t => {
    const server = await startServer(configured(0), SILENT, { projects: true }, () => Feature);
    const failing = async (): Promise<void> => assert.fail('a connection does not end');
    const { mock } = t.mock.method(NestApplicationContext.prototype, 'close', failing);
    await assert.rejects(server.stop(), /a connection does not end/);
    assertGivenFree();
    mock.restore();
    await server.app.close();
  });

  it('says why it cannot listen, and closes all', async t => {
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const starting = startServer(configured(port), SILENT, { projects: true }, () => Feature);
    await assert.rejects(starting, (error: Error) => {
      return error instanceof ConfigurationError && /is already in use\. Set PORT/.test(error.message);
    });
    assert.equal(destroyed, 1);
    assertGivenFree();
  });
});
