import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LogSync } from './log-sync.js';
import { openFilesIn } from './open-files.scenario.js';

const onLinux = { skip: process.platform !== 'linux' };

describe('the sync of a log', () => {
  let directory: string;
  let log: LogSync;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'log-sync-'));
    file = join(directory, 'some.db');
    log = new LogSync(file);
  });
  afterEach(async () => {
    await log.forget();
    rmSync(directory, { recursive: true });
  });

  const openFiles = (): string[] => openFilesIn(directory);

  it('fails while there is no log, and succeeds once there is one', async () => {
    await assert.rejects(log.sync(), { code: 'ENOENT' });
    writeFileSync(`${file}-wal`, 'frames');
    await log.sync();
  });

  it('forgets a log that cannot be opened', async () => {
    const failing = assert.rejects(log.sync(), { code: 'ENOENT' });
    await log.forget();
    await failing;
  });

  it('syncs the log at each call, and tells where that fails', async context => {
    writeFileSync(`${file}-wal`, 'frames');
    const any = await open(`${file}-wal`);
    const datasync = context.mock.method(Object.getPrototypeOf(any) as FileHandle, 'datasync');
    await any.close();
    for (const calls of [1, 2]) {
      await log.sync();
      assert.equal(datasync.mock.callCount(), calls);
    }
    datasync.mock.mockImplementationOnce(() => Promise.reject(new Error('EIO')));
    await assert.rejects(log.sync(), /EIO/);
  });

  it('has the log open between two calls, until it is to forget it', onLinux, async () => {
    writeFileSync(`${file}-wal`, 'frames');
    await Promise.all([log.sync(), log.sync()]);
    await log.sync();
    assert.deepEqual(openFiles(), [`${file}-wal`]);
    await log.forget();
    assert.deepEqual(openFiles(), []);
  });

  it('forgets a log that is just being opened, and looks for its successor', onLinux, async () => {
    writeFileSync(`${file}-wal`, 'frames');
    const first = log.sync();
    const forgotten = log.forget();
    await Promise.all([first, forgotten]);
    assert.deepEqual(openFiles(), []);
    rmSync(`${file}-wal`);
    writeFileSync(`${file}-wal`, 'others');
    await log.sync();
    assert.deepEqual(openFiles(), [`${file}-wal`], 'not one that was deleted');
  });
});
