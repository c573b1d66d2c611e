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
    assert.match(log, /"level":50.*"msg":"stopping did not end in time"/);
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
      return error instanceof ConfigurationError && /is taken; set PORT/.test(error.message);
    });
    assert.equal(destroyed, 1);
    assertGivenFree();
  });
});
