import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { until } from '../../../../test/until.js';
import { ConfigurationError, parseConfiguration, type Configuration } from '../configuration.js';
import { startRuntime } from '../ledger-runtime.js';
import { BackupSchedule } from './backup-schedule.js';
import { backupVerdict } from '../readiness-checks.js';

const HOUR_MS = 3_600_000;
const LOOK_MS = 5;
const BEGAN = Date.parse('2026-01-31T02:00:00Z');
const FIRST = 'ledger-20260131T020000Z.backup';

describe('scheduled backups', () => {
  let data: string;
  let directory: string;
  let now: number;
  let schedules: BackupSchedule[];
  let errors: string[];

  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'backed-up-'));
    const configuration = parseConfiguration({ DATA_DIR: data });
    const runtime = await startRuntime(configuration, pino({ level: 'silent' }), { projects: true });
    await runtime.stop();
  });
  after(() => rmSync(data, { recursive: true, force: true }));
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'backups-'));
    now = BEGAN;
    schedules = [];
    errors = [];
  });
  afterEach(async () => {
    for (const schedule of schedules) await schedule.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  function configured(settings: Readonly<Record<string, string>> = {}): Configuration {
    const given = { BACKUP_EVERY: '1h', BACKUP_KEEP: '2', BACKUP_DIR: directory };
    return parseConfiguration({ DATA_DIR: data, ...given, ...settings });
  }

  function begin(settings?: Readonly<Record<string, string>>): BackupSchedule {
    const configuration = configured(settings);
    const log = {
      info: () => undefined,
      error: (fields: object) => void errors.push(JSON.stringify(fields)),
    };
    const options = { lookMs: LOOK_MS, now: () => now };
    const schedule = new BackupSchedule(configuration, configuration.backups!, log, options);
    schedules.push(schedule);
    schedule.start();
    return schedule;
  }

  /** Whatever there is, the unfinished one included. */
  const files = (): string[] => readdirSync(directory).sort();

  it('are made at the start and whenever they are due, and the oldest go', async () => {
    writeFileSync(join(directory, 'ledger-by-hand.backup'), '');
    const schedule = begin();
    await until(() => schedule.latestAt === BEGAN && files().includes(FIRST));
    assert.equal(statSync(join(directory, FIRST)).mode & 0o777, 0o600);
    now += HOUR_MS - 1;
    await pause(20 * LOOK_MS);
    assert.equal(schedule.latestAt, BEGAN);
    assert.equal(schedule.ageSeconds, 3_599.999);
    for (const at of [BEGAN + HOUR_MS, BEGAN + 2 * HOUR_MS]) {
      now = at;
      await until(() => schedule.latestAt === at && !existsSync(join(directory, 'unfinished')));
    }
    assert.deepEqual(files(), [
      'ledger-20260131T030000Z.backup',
      'ledger-20260131T040000Z.backup',
      'ledger-by-hand.backup',
    ]);
    assert.deepEqual(errors, []);
  });

  it('go by those that are there', async () => {
    writeFileSync(join(directory, FIRST), '');
    const schedule = begin();
    assert.equal(schedule.latestAt, BEGAN);
    now += HOUR_MS - 1;
    await pause(20 * LOOK_MS);
    assert.deepEqual(files(), [FIRST]);
  });

  it('keep the older ones where a new one cannot be made, and say why', async () => {
    writeFileSync(join(directory, FIRST), '');
    now += 2 * HOUR_MS;
    const schedule = begin({ DATA_DIR: directory, BACKUP_KEEP: '1' });
    await until(() => schedule.trouble !== null);
    assert.match(
      backupVerdict(schedule) as string,
      /contains no ledger: .* \(the latest is of 2026-01-31T02:00/,
    );
    assert.deepEqual(files(), [FIRST]);
    assert.equal(errors.length, 1);
  });

  it('leave nothing unfinished where the server stops', async () => {
    const schedule = begin();
    await until(() => existsSync(join(directory, 'unfinished')));
    await schedule.stop();
    assert.deepEqual(files(), []);
    assert.equal(schedule.latestAt, null);
    assert.equal(schedule.ageSeconds, Infinity);
  });

  it('refuse to begin without a directory', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    assert.throws(
      () => begin({ BACKUP_DIR: file }),
      (error: Error) =>
        error instanceof ConfigurationError && error.message.startsWith('BACKUP_DIR must be a directory'),
    );
  });
});
