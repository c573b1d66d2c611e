import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { monotonicFactory } from 'ulid';
import type { GroupView, ItemView, MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import { assertDescribed } from './described.scenario.js';
import { startService, type Service } from './service.scenario.js';

/** A signed-in user. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly token: string;
  readonly householdId: string;
}

/** The body of every error. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly request_id: string;
}

/** An answer; the test says what shape it expects. */
export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  /** The same body, for a test that expects an error. */
  readonly error: ErrorBody;
}

/** What a write of a transaction answers. */
export interface TransactionAnswer {
  readonly transaction: TransactionView;
  readonly months: readonly MonthView[];
  readonly untracked_count: number;
}

export interface TransactionList {
  readonly transactions: readonly TransactionView[];
  readonly next_cursor: string | null;
  readonly untracked_count: number;
}

export interface Split {
  readonly item_id: string;
  readonly amount: number;
}

type SentHeaders = Readonly<Record<string, string>>;

const nextUlid = monotonicFactory();

/** A fresh id, as clients make them for transactions. */
export function freshId(): string {
  return nextUlid();
}

/** An id of the right form that nothing has. */
export const NOWHERE = '01JZZZZZZZZZZZZZZZZZZZZZZZ';

/** Instead of headers: a call without a credential. */
export const NOBODY: SentHeaders = {};

/** One user's household, seen through the API. */
export class Household {
  constructor(
    readonly service: Service,
    readonly user: User,
    readonly id: string = user.householdId,
  ) {}

  get<T>(path: string, headers: SentHeaders = {}): Promise<Reply<T>> {
    return this.send('GET', path, undefined, headers);
  }

  post<T>(path: string, body?: unknown, headers: SentHeaders = {}): Promise<Reply<T>> {
    return this.send('POST', path, body, headers);
  }

  put<T>(path: string, body?: unknown, headers: SentHeaders = {}): Promise<Reply<T>> {
    return this.send('PUT', path, body, headers);
  }

  patch<T>(path: string, body?: unknown, headers: SentHeaders = {}): Promise<Reply<T>> {
    return this.send('PATCH', path, body, headers);
  }

  delete<T>(path: string, headers: SentHeaders = {}): Promise<Reply<T>> {
    return this.send('DELETE', path, undefined, headers);
  }

  async send<T>(method: string, path: string, body: unknown, headers: SentHeaders = {}): Promise<Reply<T>> {
    const credentials = { 'X-Service-Household': this.id, Authorization: `Bearer ${this.user.token}` };
    const sent = headers === NOBODY || this.user.token === '' ? headers : { ...credentials, ...headers };
    const address = new URL(`${this.service.origin}/v1${path}`);
    const response = await fetch(address, {
      method,
      headers: body === undefined ? sent : { 'Content-Type': 'application/json', ...sent },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    const { status, headers: received } = response;
    // As it was sent: `.` and `..` are taken out of an address.
    const route = address.pathname.replace(/^\/v1/, '');
    assertDescribed(this.service.description, {
      method,
      path: route,
      status,
      headers: received,
      body: parsed,
    });
    return { status, headers: received, body: parsed as T, error: parsed as ErrorBody };
  }

  /** Creates a month that is not there yet. */
  async createMonth(month: string): Promise<MonthView> {
    return ok(await this.post<MonthView>(`/months/${month}`), 201);
  }

  async month(month: string): Promise<MonthView> {
    return ok(await this.get<MonthView>(`/months/${month}`));
  }

  /** Plans items of a month, by their names. */
  async plan(month: string, plans: Readonly<Record<string, number>>): Promise<MonthView> {
    let view = await this.month(month);
    for (const [name, planned] of Object.entries(plans)) {
      const { id } = itemNamed(view, name);
      view = ok(await this.patch<MonthView>(`/months/${month}/items/${id}`, { planned }));
    }
    return view;
  }

  /** Makes an item of a month a fund. */
  async openFund(month: string, itemId: string, balance: number): Promise<MonthView> {
    const body = { current_balance: balance };
    return ok(await this.post<MonthView>(`/months/${month}/items/${itemId}/fund`, body));
  }

  async transaction(id: string): Promise<TransactionView> {
    return ok(await this.get<TransactionView>(`/transactions/${id}`));
  }

  /** One page of a listing. */
  async list(query: Readonly<Record<string, string | number>>): Promise<TransactionList> {
    return ok(await this.get<TransactionList>(`/transactions?${queryText(query)}`));
  }

  /** The ids of a listing, page by page to its end. */
  async listAll(query: Readonly<Record<string, string | number>>): Promise<string[]> {
    const ids: string[] = [];
    let page = await this.list(query);
    for (;;) {
      ids.push(...page.transactions.map(({ id }) => id));
      if (page.next_cursor === null) return ids;
      page = await this.list({ ...query, cursor: page.next_cursor });
    }
  }

  /** The transaction of that content, just created. */
  async spend(content: {
    readonly amount: number;
    readonly date?: string;
    readonly splits?: readonly Split[];
    readonly [field: string]: unknown;
  }): Promise<TransactionAnswer> {
    const body = {
      id: freshId(),
      type: 'expense',
      date: '2026-01-15',
      merchant: 'Corner Shop',
      splits: [],
      ...content,
    };
    return ok(await this.post<TransactionAnswer>('/transactions', body), 201);
  }
}

/** The body of an answer that must have succeeded. */
export function ok<T>(reply: Reply<T>, status = 200): T {
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  return reply.body;
}

/** Parameters as they stand in an address. */
export function queryText(query: Readonly<Record<string, string | number>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.toString();
}

/** Asserts an error and gives its details. */
export function refused(reply: Reply<unknown>, status: number, code: string): ErrorBody['details'] {
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  assert.deepEqual(Object.keys(reply.error).sort(), ['code', 'details', 'message', 'request_id']);
  assert.equal(reply.error.code, code);
  assert.equal(reply.error.request_id, reply.headers.get('x-request-id'));
  assert.ok(reply.error.message.length > 0);
  return reply.error.details;
}

/** Asserts `422 validation_failed` and gives the paths of the fields that it names, sorted. */
export function invalid(reply: Reply<unknown>): string[] {
  const { fields } = refused(reply, 422, 'validation_failed') as {
    readonly fields: readonly { readonly path: string; readonly message: string }[];
  };
  assert.ok(fields.length > 0);
  return fields.map(({ path }) => path).sort();
}

/** The service of this process, as one group of tests sees it. */
interface RunningService {
  /** A new household of the group's first user, without months. */
  household(): Promise<Household>;
  /** A new user's personal household. */
  stranger(name?: string): Promise<Household>;
  /** The same household, seen by a new user who was invited into it. */
  member(of: Household, name: string): Promise<Household>;
}

/** Starts the service at the first call, and stops it after the tests. */
function serviceOnDemand(): () => Promise<Service> {
  let started: Promise<Service> | null = null;
  after(async () => (await started)?.stop());
  return () => (started ??= startService());
}

const sharedService = serviceOnDemand();

/**
 * The specs of a process share one service; each group of tests has users and households of its own.
 * @param isShared false for tests that change how the service behaves
 */
export function useService({ isShared = true } = {}): RunningService {
  const service = isShared ? sharedService : serviceOnDemand();
  let first: Household | null = null;
  const stranger = async (name = 'Charles Babbage'): Promise<Household> => signUp(await service(), name);
  before(async () => {
    first = await stranger('Ada Lovelace');
  });
  return {
    async household() {
      assert.ok(first);
      const { id } = ok(await first.post<{ id: string }>('/households', { name: 'Test' }), 201);
      return new Household(first.service, first.user, id);
    },
    stranger,
    async member(home, name) {
      const guest = await stranger(name);
      const { email } = guest.user;
      const path = `/households/${home.id}/invites`;
      const invite = ok(await home.post<{ id: string }>(path, { email }), 201);
      ok(await guest.post(`/invites/${invite.id}/accept`));
      return new Household(home.service, guest.user, home.id);
    },
  };
}

const PASSWORD = 'four-jars-on-a-shelf';

let people = 0;

export async function signUp(service: Service, name: string): Promise<Household> {
  const email = `${freshId().toLowerCase()}@example.org`;
  const visitor = new Household(service, { id: '', name, email, token: '', householdId: '' });
  // Mails are limited by network address: each person calls from another one.
  const address = { 'X-Forwarded-For': `10.0.${people >> 8}.${people++ & 255}` };
  ok(await visitor.send('POST', '/auth/password/sign-up', { email, name, password: PASSWORD }, address), 202);
  const token = await service.mailedToken(email, 'verify');
  const redeemed = await visitor.send<{
    readonly token: string;
    readonly me: { readonly user: { readonly id: string }; readonly default_household_id: string };
  }>('POST', '/auth/password/verify', { token, client: 'mobile' }, NOBODY);
  const { token: session, me } = ok(redeemed);
  const user = { id: me.user.id, name, email, token: session, householdId: me.default_household_id };
  return new Household(service, user);
}

export function groupNamed(month: MonthView, name: string): GroupView {
  const group = month.groups.find(one => one.name === name);
  assert.ok(group, `${month.month} has no group ${name}`);
  return group;
}

export function itemNamed(month: MonthView, name: string): ItemView {
  const item = month.groups.flatMap(({ items }) => items).find(one => one.name === name);
  assert.ok(item, `${month.month} has no item ${name}`);
  return item;
}
