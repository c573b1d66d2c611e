// The process from which the load comes, so that clients and servers do not share an event loop.
import autocannon, { type Request } from 'autocannon';
import { monotonicFactory } from 'ulid';
import { median, quantile } from './figures.js';
import { offer } from './worker-process.js';

/** A household to which transactions are posted. */
export interface PostTarget {
  readonly householdId: string;
  /** `YYYY-MM`: where posts begin. */
  readonly month: string;
  /** That month and those after it, which posts go on to: a month takes only so many transactions. */
  readonly months: readonly string[];
  /** Items that are in each of them. */
  readonly itemIds: readonly string[];
}

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Either GET requests, one household after the other, or … */
  readonly householdIds?: readonly string[];
  /** … posts of new transactions with one split. */
  readonly posts?: readonly PostTarget[];
  /** With `posts`: each is a batch of so many creations. */
  readonly operations?: number;
  /**
   * With `posts`, on one connection: each is followed by a GET of this path in its household, with the post's month for
   * `{month}`, and only the GETs count.
   */
  readonly thenGet?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Of one request, in milliseconds. */
  readonly medianMs: number;
  /** 99 of 100 requests took at most so long. */
  readonly p99Ms: number;
}

const ulid = monotonicFactory();

/** A month that begins with a fair share of a history has room for so many more. */
const POSTS_PER_MONTH = 10_000;
/** By household, in all loads of this process. */
const posted = new Map<string, number>();

/** @throws Error when any answer is no success: a figure must not come from errors */
async function run(load: Load): Promise<LoadResult> {
  const times: number[] = [];
  const failures: number[] = [];
  let answers = 0;
  const running = autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    sampleInt: 50,
    requests: load.posts ? postRequests(load.posts, load) : getRequests(load),
  });
  running.on('response', (_client: unknown, status: number, _bytes: number, ms: number) => {
    answers += 1;
    if (load.thenGet === undefined || answers % 2 === 0) times.push(ms);
    if (status >= 300) failures.push(status);
  });
  const result = await running;
  if (failures.length > 0 || result.errors > 0 || times.length === 0) {
    throw new Error(
      `${load.url}: ${times.length} answers, ${result.errors} errors, statuses ${[...new Set(failures)].join()}`,
    );
  }
  return {
    perSecond: result['2xx'] / result.duration,
    medianMs: median(times),
    p99Ms: quantile(times, 0.99),
  };
}

function getRequests({ householdIds = [], token }: Load): Request[] {
  return householdIds.map(householdId => ({ method: 'GET', headers: headersOf(householdId, token) }));
}

function postRequests(targets: readonly PostTarget[], { token, thenGet, operations }: Load): Request[] {
  const prepared = targets.map(target => ({
    ...target,
    headers: { ...headersOf(target.householdId, token), 'content-type': 'application/json' },
  }));
  let turn = 0;
  let month = '';
  let made = 0;
  const transaction = ({ householdId, months, itemIds }: PostTarget): object => {
    made += 1;
    month = nextMonth(householdId, months);
    const amount = 100 + (made % 10_000);
    return {
      id: ulid(),
      type: 'expense',
      amount,
      date: `${month}-${String(1 + (made % 28)).padStart(2, '0')}`,
      merchant: `Merchant ${made % 120} of Main Street`,
      splits: [{ item_id: itemIds[made % itemIds.length], amount }],
    };
  };
  const setupRequest = (request: Request): Request => {
    turn += 1;
    const target = prepared[turn % prepared.length]!;
    const creation = (): object => ({ op: 'create', ...transaction(target) });
    const body =
      operations === undefined
        ? transaction(target)
        : { operations: Array.from({ length: operations }, creation) };
    return { ...request, headers: { ...target.headers }, body: JSON.stringify(body) };
  };
  const post: Request = { method: 'POST', setupRequest };
  if (thenGet === undefined) return [post];
  const setupGet = (request: Request): Request => {
    const { householdId } = prepared[turn % prepared.length]!;
    return { ...request, path: thenGet.replace('{month}', month), headers: headersOf(householdId, token) };
  };
  return [post, { method: 'GET', setupRequest: setupGet }];
}

function nextMonth(householdId: string, months: readonly string[]): string {
  const count = posted.get(householdId) ?? 0;
  posted.set(householdId, count + 1);
  return months[Math.trunc(count / POSTS_PER_MONTH) % months.length]!;
}

function headersOf(householdId: string, token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-service-household': householdId };
}

const functions = { run };
export type LoadGenerator = typeof functions;
offer(functions);
