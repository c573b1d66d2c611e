import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailable } from '#storage/event-store/event-store';
import { EventStoreDbEventStore } from '#storage/eventstoredb/eventstoredb-event-store';
import type { Timings } from '#storage/eventstoredb/retry';
import type { EventStoreDbLog } from '#storage/eventstoredb/subscription';
import type { MemoryLog } from './memory-log.js';
import { StreamsServiceFake } from './streams-service-fake.js';

/** Short, so that a test does not wait long for what must time out; the budget is for machines that are busy. */
export const QUICK: Partial<Timings> = {
  attemptMs: 300,
  retryBudgetMs: 60_000,
  silenceMs: 200,
  filteredSilenceMs: 200,
  idleCheckMs: 50,
  deliveryMs: 50,
  reconnectFirstMs: 5,
  reconnectMaxMs: 50,
};

/** For calls that must fail in the end. */
export const IMPATIENT: Partial<Timings> = { ...QUICK, retryBudgetMs: 1_000 };

/** Where the server's own answer counts: no wait for it ends by itself, however busy the machine is. */
export const PATIENT: Partial<Timings> = {
  ...QUICK,
  attemptMs: 20_000,
  silenceMs: 20_000,
  filteredSilenceMs: 20_000,
  deliveryMs: 20_000,
};

/** The same for calls that must fail: they are tried once, since half of another attempt does not fit into the time. */
export const PATIENT_ONCE: Partial<Timings> = { ...PATIENT, attemptMs: 40_000, retryBudgetMs: 20_000 };

const CONDITION_MS_MAX = 120_000;

/** A fake server and a store on it, for one test. */
export interface Pair {
  readonly fake: StreamsServiceFake;
  readonly store: EventStoreDbEventStore;
  /** What the store told operators. */
  readonly notices: string[];
}

/** Runs a test on a fake of its own and looks afterwards whether the adapter did what no adapter may do. */
export async function withFake(
  test: (pair: Pair) => Promise<void>,
  { timings = QUICK, log }: { timings?: Partial<Timings>; log?: MemoryLog } = {},
): Promise<void> {
  const fake = await StreamsServiceFake.start(log);
  const notices: string[] = [];
  const store = EventStoreDbEventStore.open({ url: fake.url, timings, log: noteInto(notices) });
  try {
    await test({ fake, store, notices });
    assert.deepEqual(fake.violations, []);
    assert.ok(fake.calls.every(({ requiresLeader }) => requiresLeader));
  } finally {
    await store.close();
    fake.kill();
  }
}

export function noteInto(notices: string[]): EventStoreDbLog {
  const note = (fields: object, message: string): void => {
    notices.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { info: note, error: note };
}

/** Waits for a condition that no event tells of. */
export async function eventually(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + CONDITION_MS_MAX;
  while (!condition()) {
    assert.ok(performance.now() < deadline, `not so within ${CONDITION_MS_MAX} ms: ${condition.toString()}`);
    await pause(5);
  }
}

/** Repeats a call with the same arguments until the store is there. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + CONDITION_MS_MAX; ; await pause(100)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable) || performance.now() > deadline) throw error;
    }
  }
}

/** For `assert.rejects`: the store is unavailable, and says why in one sentence. */
export function unavailable(words: RegExp): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'EventStoreUnavailable', String(error));
    assert.match(error.message, words);
    assert.match(error.message, /^EventStoreDB at 127\.0\.0\.1:\d+[^\n]*\.$/);
    return true;
  };
}
