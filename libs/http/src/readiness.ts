import { Injectable } from '@nestjs/common';
import { isUnavailable } from './is-unavailable.js';

/** How long one check may take, in milliseconds. */
export const CHECK_TIMEOUT_MS = 2_000;

/**
 * Looks at one thing that the service needs.
 * @returns null where all is well, else one sentence for the operator, without secrets
 */
export type Check = () => Promise<string | null> | string | null;

/** What a check found, and since when. */
export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'failing';
  readonly message: string | null;
  /** When the status last changed. */
  readonly since: string;
}

interface Entry {
  readonly check: Check;
  /** Set while a check is under way, also past its time-out, so that a stuck one is not started again and again. */
  running: Promise<string | null> | null;
  failing: boolean | null;
  since: string;
}

/** The checks that `/health/ready` makes; whoever needs a store, a lock or a projection registers one. */
@Injectable()
export class Readiness {
  private readonly entries = new Map<string, Entry>();

  /** Replaces a check of the same name. */
  register(name: string, check: Check): void {
    this.entries.set(name, { check, running: null, failing: null, since: new Date().toISOString() });
  }

  /** Every check, made now, at most `CHECK_TIMEOUT_MS` in all. */
  async look(): Promise<CheckResult[]> {
    return Promise.all([...this.entries].map(([name, entry]) => lookAt(name, entry)));
  }
}

async function lookAt(name: string, entry: Entry): Promise<CheckResult> {
  entry.running ??= run(entry.check).finally(() => {
    entry.running = null;
  });
  const message = await inTime(entry.running);
  const failing = message !== null;
  if (entry.failing !== failing) {
    entry.failing = failing;
    entry.since = new Date().toISOString();
  }
  return { name, status: failing ? 'failing' : 'ok', message, since: entry.since };
}

async function run(check: Check): Promise<string | null> {
  try {
    return await check();
  } catch (error) {
    // Only errors that are meant for operators are known to carry no secret.
    return isUnavailable(error) ? error.message : 'the check itself failed';
  }
}

async function inTime(running: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve(`no answer within ${CHECK_TIMEOUT_MS} ms`), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
