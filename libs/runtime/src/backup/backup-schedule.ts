import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackgroundLog } from '#engine/projector/background-log';
import { untilStopped } from '#concurrency/repeatedly';
import { loggedOf, SEE_LOG } from '#engine/households/store-failures';
import { ConfigurationError, type BackupSettings, type Configuration } from '../configuration.js';
import type { BackupOutcome, BackupTask } from './backup-process.js';
import { reasonOf, syncPath } from '../data-files.js';

const PROGRAM = fileURLToPath(new URL('./backup-process.js', import.meta.url));
const LOOK_MS = 60_000;
/** After a failure the next try begins this late. */
const RETRY_MS = 15 * 60_000;
/** What is being made, below `BACKUP_DIR`. */
const UNFINISHED = 'unfinished';
/** `ledger-20260131T020000Z.backup`; other files in `BACKUP_DIR` are left alone. */
const NAME = /^ledger-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

interface ScheduleOptions {
  readonly lookMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Backs up the embedded stores from time to time, in a process of its own. A backup gets its name after it was restored into a
 * temporary directory, and only then the oldest ones are removed.
 */
export class BackupSchedule {
  private readonly stopping = new AbortController();
  private readonly now: () => number;
  private running: Promise<void> | null = null;
  private latest: number | null;
  private failure: string | null = null;
  private triedAt = -Infinity;

  /** @throws ConfigurationError where there can be no `BACKUP_DIR` */
  constructor(
    private readonly configuration: Configuration,
    private readonly settings: BackupSettings,
    private readonly log: BackgroundLog,
    private readonly options: ScheduleOptions = {},
  ) {
    this.now = options.now ?? Date.now;
    const { directory } = settings;
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      this.latest = timeOf(this.names().at(-1));
    } catch (error) {
      const reason = reasonOf(error);
      throw new ConfigurationError(
        `BACKUP_DIR must be a directory; ${directory} cannot be used (${reason}).`,
      );
    }
  }

  /** When the latest backup was begun, in milliseconds since the epoch; null before the first. */
  get latestAt(): number | null {
    return this.latest;
  }

  /** Infinity before the first. */
  get ageSeconds(): number {
    return this.latest === null ? Infinity : Math.max(0, (this.now() - this.latest) / 1_000);
  }

  /** Why the latest try failed, in one sentence without user data; null where it did not. */
  get trouble(): string | null {
    return this.failure;
  }

  start(): void {
    const lookMs = this.options.lookMs ?? LOOK_MS;
    this.running ??= untilStopped(this.stopping.signal, lookMs, async () => {
      if (this.isDue()) await this.tryBackup();
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private isDue(): boolean {
    if (this.failure !== null) return this.now() - this.triedAt >= RETRY_MS;
    return this.latest === null || this.now() - this.latest >= this.settings.everyMs;
  }

  private async tryBackup(): Promise<void> {
    this.triedAt = this.now();
    try {
      this.failure = await this.backUp();
      if (this.failure !== null) this.log.error({ error: this.failure }, 'a scheduled backup failed');
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.failure = SEE_LOG;
      this.log.error({ error: loggedOf(error) }, 'a scheduled backup failed');
    }
  }

  /** @returns what is wrong with it; null where it is sound */
  private async backUp(): Promise<string | null> {
    const { directory } = this.settings;
    const unfinished = join(directory, UNFINISHED);
    const begun = this.now();
    try {
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(unfinished, { mode: 0o700 });
      const part = join(unfinished, 'backup');
      const restored = join(unfinished, 'restored');
      const outcome = await this.inProcess({ configuration: this.configuration, file: part, restored });
      if ('refused' in outcome) return outcome.refused;
      const name = nameOf(begun);
      renameSync(part, join(directory, name));
      syncPath(directory);
      this.latest = begun;
      const { bytes, events, brokenChains } = outcome;
      if (brokenChains > 0)
        return `${name} contains ${brokenChains} broken hash chain(s); older backups are kept`;
      this.log.info({ file: name, bytes, events }, 'backed up');
      this.removeOld();
      return null;
    } finally {
      rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** @throws where the process is ended, or fails by a fault of the service */
  private async inProcess(task: BackupTask): Promise<BackupOutcome> {
    const { signal } = this.stopping;
    const program = fork(PROGRAM, { serialization: 'advanced', execArgv: [] });
    const end = (): void => void program.kill();
    signal.addEventListener('abort', end);
    try {
      let outcome: BackupOutcome | null = null;
      program.once('message', message => (outcome = message as BackupOutcome));
      const ended = once(program, 'exit');
      program.send(task);
      const [code] = (await ended) as [number | null];
      if (outcome === null) throw new Error(`the process that backs up ended with ${code}`);
      return outcome;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  private removeOld(): void {
    const { directory, keep } = this.settings;
    for (const name of this.names().slice(0, -keep)) rmSync(join(directory, name), { force: true });
  }

  private names(): string[] {
    return readdirSync(this.settings.directory)
      .filter(name => NAME.test(name))
      .sort();
  }
}

function nameOf(at: number): string {
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  return `ledger-${stamp}.backup`;
}

function timeOf(name: string | undefined): number | null {
  const [, ...parts] = (name && NAME.exec(name)) || [];
  if (parts.length === 0) return null;
  const [year, month, day, hours, minutes, seconds] = parts;
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}
