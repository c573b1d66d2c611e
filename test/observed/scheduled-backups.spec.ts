// What operators see of scheduled backups, and that one can be restored.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { BackupSchedule } from '#runtime/backup/backup-schedule';
import { restoreBackup } from '#runtime/backup/restore-backup';
import { parseConfiguration } from '#runtime/configuration';
import { signUp } from '../acceptance/household.scenario.js';
import { startService, type Service } from '../acceptance/service.scenario.js';
import { until } from '../until.js';

describe('scheduled backups of a server', () => {
  let service: Service;
  let restored: string;

  before(async () => {
    restored = mkdtempSync(join(tmpdir(), 'restored-'));
    service = await startService({ BACKUP_EVERY: '1d' });
  });
  after(async () => {
    await service.stop();
    rmSync(restored, { recursive: true, force: true });
  });

  async function message(): Promise<string | null> {
    const { checks } = (await (await fetch(`${service.origin}/health/ready`)).json()) as {
      readonly checks: readonly { readonly name: string; readonly message: string | null }[];
    };
    return checks.find(({ name }) => name === 'backup')?.message ?? null;
  }

  it('show their age, and can be restored', async () => {
    await until(async () => (await message())?.startsWith('the latest is of 20') ?? false);
    const metrics = await (await fetch(`${service.origin}/metrics`)).text();
    const [, age] = /^backup_age_seconds (\S+)$/m.exec(metrics) ?? [];
    assert.ok(Number(age) < 120, age);
    const backups = join(service.directory, 'backups');
    const [name] = readdirSync(backups).filter(each => each.endsWith('.backup'));
    const configuration = parseConfiguration({
      DATA_DIR: join(restored, 'data'),
      SECRET_KEY: Buffer.alloc(32).toString('base64'),
    });
    const options = { replace: false, onStep: () => undefined };
    const { brokenLinks } = await restoreBackup(configuration, join(backups, name ?? ''), options);
    assert.deepEqual(brokenLinks, []);
  });

  it('keep the older ones where the new one has a broken hash chain', async () => {
    const home = await signUp(service, 'Ada');
    await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const db = new DatabaseSync(join(service.directory, 'ledger.db'), { timeout: 10_000 });
    db.exec(`UPDATE events SET data = json_set(data, '$.month', '2025-12') WHERE revision = 0`);
    db.close();
    const configuration = parseConfiguration({
      DATA_DIR: service.directory,
      SECRET_KEY: Buffer.alloc(32).toString('base64'),
      BACKUP_EVERY: '1h',
      BACKUP_KEEP: '1',
    });
    const backups = join(service.directory, 'backups');
    const before = readdirSync(backups);
    const log = { info: () => undefined, error: () => undefined };
    const options = { now: () => Date.now() + 2 * 3_600_000 };
    const schedule = new BackupSchedule(configuration, configuration.backups!, log, options);
    schedule.start();
    await until(() => schedule.trouble !== null);
    await schedule.stop();
    assert.match(schedule.trouble ?? '', /^ledger-.* contains 1 broken hash chain/);
    const after = readdirSync(backups);
    assert.equal(after.length, before.length + 1);
    assert.ok(before.every(name => after.includes(name)));
  });
});
