import assert from 'node:assert/strict';
import { monotonicFactory } from 'ulid';
import type { MonthView } from '#projections/month-document';
import type { Answer, LedgerProcess } from '../ledger-process.js';

const MONTH = '2026-01';
/** Every transaction's amount, so that a figure says how many there are. */
const AMOUNT = 100;

const nextUlid = monotonicFactory();

/** What programs that run on stores which other processes share need in any case. */
export const SHARED_ENVIRONMENT = {
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  ALLOWED_EMAILS: '*',
} as const;

/** A user's budget of one month, seen through whichever instance a call names. */
export class Budget {
  private constructor(
    readonly token: string,
    /** Where every transaction is split to. */
    readonly itemId: string,
  ) {}

  /** Makes the month. @param token a session of a new user */
  static async begin(server: LedgerProcess, token: string): Promise<Budget> {
    const { status, body } = await server.call('POST', `/months/${MONTH}`, { token });
    assert.equal(status, 201, JSON.stringify(body));
    return new Budget(token, itemsOf(body)[0]!.id);
  }

  /** A new transaction, or the same one again. */
  spend(server: LedgerProcess, id: string = nextUlid()): Promise<Answer> {
    return this.send(server, 'POST', '/transactions', this.transaction(id));
  }

  /** New transactions by one command, or the same ones again. */
  spendInBatch(server: LedgerProcess, ids: readonly string[]): Promise<Answer> {
    const operations = ids.map(id => ({ op: 'create', ...this.transaction(id) }));
    return this.send(server, 'POST', '/transactions/batch', { operations });
  }

  private transaction(id: string): object {
    const splits = [{ item_id: this.itemId, amount: AMOUNT }];
    return { id, type: 'expense', amount: AMOUNT, date: `${MONTH}-10`, merchant: 'Bakery', splits };
  }

  /** Any command. */
  send(server: LedgerProcess, method: string, path: string, body?: object): Promise<Answer> {
    return server.call(method, path, { token: this.token, ...(body && { body }) });
  }

  /** Adds a group, under a key. */
  addGroup(server: LedgerProcess, name: string, key: string): Promise<Answer> {
    const headers = { 'Idempotency-Key': key };
    return server.call('POST', `/months/${MONTH}/groups`, { token: this.token, body: { name }, headers });
  }

  async groupNames(server: LedgerProcess): Promise<string[]> {
    const { body } = await this.get(server, `/months/${MONTH}`);
    return groupsOf(body).map(({ name }) => name);
  }

  /** What the month says was spent on the item, in transactions. */
  async spentTransactions(server: LedgerProcess): Promise<number> {
    const { body } = await this.get(server, `/months/${MONTH}`);
    return itemsOf(body).find(({ id }) => id === this.itemId)!.spent / AMOUNT;
  }

  /** The ids of all transactions, in their order. */
  async transactionIds(server: LedgerProcess): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await this.get(server, `/transactions?view=tracked&limit=200${query}`);
      ids.push(...(body['transactions'] as { readonly id: string }[]).map(({ id }) => id));
      cursor = body['next_cursor'] as string | null;
    }
    return ids;
  }

  /** A query that must succeed. */
  async get(server: LedgerProcess, path: string): Promise<Answer> {
    const answer = await server.call('GET', path, { token: this.token });
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  }
}

export function freshId(): string {
  return nextUlid();
}

/** Asserts that a store was away, and that the client is told when to come again. */
export function assertUnavailable({ status, headers, body }: Answer): void {
  assert.deepEqual([status, body['code']], [503, 'unavailable'], JSON.stringify(body));
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

/** Repeats a call as a client does, as long as a store is away. */
export async function retried(server: LedgerProcess, call: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await server.until(async () => {
    answer = await call();
    return answer.status !== 503;
  }, 'to take the command');
  return answer!;
}

function groupsOf(month: Answer['body']): MonthView['groups'] {
  return (month as object as MonthView).groups;
}

function itemsOf(month: Answer['body']): readonly { readonly id: string; readonly spent: number }[] {
  return groupsOf(month).flatMap(({ items }) => items.filter(({ kind }) => kind === 'expense'));
}
