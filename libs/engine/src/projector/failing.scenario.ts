// A household of one month and one expense whose events cannot be applied for a while.
import assert from 'node:assert/strict';
import { DocumentsUnavailable, type Documents } from '#storage/documents/documents';
import { STREAM_PREFIX } from '../households/household-stream.js';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  HOUSEHOLD,
  MODELS,
  type Workplace,
  CommandStreams,
} from '../households/streams.scenario.js';
import type { ProjectionHost } from './projection-host.js';

const WRITES: ReadonlySet<string | symbol> = new Set(['put', 'putAll', 'insert', 'replace', 'remove']);

/** Documents of which some calls are made otherwise. */
export function doubled(
  documents: Documents,
  call: (method: string | symbol, real: () => Promise<unknown>) => Promise<unknown>,
): Documents {
  return new Proxy(documents, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown =>
        call(method, async () => Reflect.apply(value, target, args) as unknown);
    },
  });
}

/** Streams of one more instance that cannot be folded while they are broken. */
export function fragileStreams(
  place: Workplace,
  isBroken: () => boolean,
): ConstructorParameters<typeof ProjectionHost>[2] {
  const streams = place.instance();
  const unlessBroken = <T>(work: () => Promise<T>): Promise<T> =>
    isBroken() ? Promise.reject(new Error('no such event')) : work();
  return {
    forget: (...args) => streams.forget(...args),
    advance: (...args) => unlessBroken(() => streams.advance(...args)),
    catchUp: (...args) => unlessBroken(() => streams.catchUp(...args)),
  };
}

/** The household's month and its first expense. */
export async function recordExpense(place: Workplace): Promise<void> {
  const streams = place.instance();
  await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
  await streams.execute(HOUSEHOLD, expense(freshId()), envelope());
  await streams.settle();
}

/** A process records an expense and dies before it writes the read models. @returns the expense's position */
export async function recordAndDie(place: Workplace): Promise<string> {
  const dying = doubled(place.documents, (method, real) =>
    WRITES.has(method) ? Promise.reject(new DocumentsUnavailable('dead')) : real(),
  );
  const streams = new CommandStreams(place.store, dying, MODELS);
  await assert.rejects(streams.execute(HOUSEHOLD, expense(freshId()), envelope()), DocumentsUnavailable);
  return (await place.store.head(STREAM_PREFIX))!;
}

/** How many expenses the read models know. */
export async function expenses(place: Workplace): Promise<number | undefined> {
  return (await place.documents.get(MODELS.untrackedCounts, HOUSEHOLD))?.count;
}
