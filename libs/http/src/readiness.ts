import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { repeatedly } from '#concurrency/repeatedly';
import { isUnavailable } from '#concurrency/unavailable';
import { within } from '#concurrency/within';

/** How long one check may take, in milliseconds. */
export const CHECK_TIMEOUT_MS = 2_000;
/** Pause between two rounds of checks that the service makes by itself, so that `since` is right to about this long. */
export const CHECK_EVERY_MS = 1_000;

/** A check passed, with a remark. */
export class Remark {
  constructor(readonly message: string) {}
}

/** Null or a remark if the check passes, else one sentence for the operator, without secrets. */
type Finding = string | Remark | null;

/** Checks one dependency of the service. */
export type Check = () => Promise<Finding> | Finding;

/** What a check found, and since when. */
export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'failing';
  readonly message: string | null;
  /** When the status last changed: the start of the check that found it, or of the process. */
  readonly since: string;
}

interface Entry {
  readonly check: Check;
  /** Set while a check runs, even past its time-out, so that a stuck check is not started again. */
  running: Promise<Finding> | null;
  /** When that one began. */
  begun: string;
  /** Null until the first check has ended. */
  failing: boolean | null;
  since: string;
}

/**
 * The checks that `/health/ready` makes; what needs a store, a lock or a projection registers one. They are also
 * made every `CHECK_EVERY_MS`, because a status that changed must have the time of the change, not of the next request.
 */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private readonly entries = new Map<string, Entry>();
  private endChecks: (() => void) | null = null;

  /** Replaces a check of the same name. */
  register(name: string, check: Check): void {
    const now = new Date().toISOString();
    this.entries.set(name, { check, running: null, begun: now, failing: null, since: now });
    this.endChecks ??= repeatedly(() => this.look(), CHECK_EVERY_MS);
  }

  onModuleDestroy(): void {
    this.endChecks?.();
  }

  /** Every check, made now, at most `CHECK_TIMEOUT_MS` in all. */
  async look(): Promise<CheckResult[]> {
    return Promise.all([...this.entries].map(([name, entry]) => lookAt(name, entry)));
  }
}

async function lookAt(name: string, entry: Entry): Promise<CheckResult> {
  if (entry.running === null) {
    entry.begun = new Date().toISOString();
    entry.running = run(entry.check).finally(() => {
      entry.running = null;
    });
  }
  const { begun } = entry;
  const finding = await within(
    entry.running,
    CHECK_TIMEOUT_MS,
    () => `no answer within ${CHECK_TIMEOUT_MS} ms`,
  );
  const failing = typeof finding === 'string';
  const message = finding instanceof Remark ? finding.message : finding;
  // The result of the first check holds since the start.
  if (entry.failing !== null && entry.failing !== failing) entry.since = begun;
  entry.failing = failing;
  return { name, status: failing ? 'failing' : 'ok', message, since: entry.since };
}

async function run(check: Check): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    // Only errors written for operators are known to contain no secret.
    return isUnavailable(error) ? error.message : 'the check itself failed';
  }
}
