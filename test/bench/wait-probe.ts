// The process of people who use another household meanwhile: one reads, one posts, each one request after the other.
import { setTimeout as pause } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { PostTarget } from './load-generator.js';
import { offer } from './worker-process.js';

interface Watched {
  /** Of the API, with its version. */
  readonly url: string;
  readonly token: string;
  /** Where is read, and nothing written, so that nothing has to be waited for. */
  readonly read: PostTarget;
  readonly posted: PostTarget;
}

const PAUSE_MS = 5;

/** The longest answers, in milliseconds. */
interface Waits {
  readonly read: number;
  readonly post: number;
}

let stopping = new AbortController();
let watching: Promise<Waits> = Promise.resolve({ read: 0, post: 0 });

/** Begins; resolves after the first answers. */
async function begin(watched: Watched): Promise<void> {
  stopping = new AbortController();
  await Promise.all([read(watched), post(watched)]);
  watching = watch(watched);
  // Told by `end`.
  watching.catch(() => undefined);
}

/** Ends. @returns how long the slowest answers took */
async function end(): Promise<Waits> {
  stopping.abort();
  return watching;
}

async function watch(watched: Watched): Promise<Waits> {
  const [readMs, postMs] = await Promise.all([slowest(() => read(watched)), slowest(() => post(watched))]);
  return { read: readMs, post: postMs };
}

/** Asks again and again, a moment after each answer. */
async function slowest(ask: () => Promise<number>): Promise<number> {
  const { signal } = stopping;
  let longest = 0;
  while (!signal.aborted) {
    longest = Math.max(longest, await ask());
    await pause(PAUSE_MS);
  }
  return longest;
}

/** The months, one of them, and its transactions. */
async function read(watched: Watched): Promise<number> {
  const { month } = watched.read;
  let longest = 0;
  for (const path of ['/months', `/months/${month}`, `/transactions?view=tracked&month=${month}`]) {
    longest = Math.max(longest, await timed(watched, watched.read, 'GET', path));
  }
  return longest;
}

function post(watched: Watched): Promise<number> {
  const { month, itemIds } = watched.posted;
  const splits = [{ item_id: itemIds[0], amount: 1_000 }];
  const body = { id: ulid(), type: 'expense', amount: 1_000, date: `${month}-15`, merchant: 'Other', splits };
  return timed(watched, watched.posted, 'POST', '/transactions', body);
}

async function timed(
  { url, token }: Watched,
  { householdId }: PostTarget,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-service-household': householdId,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return performance.now() - begun;
}

const functions = { begin, end };
export type WaitProbe = typeof functions;
offer(functions);
