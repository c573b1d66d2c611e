import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicFactory } from 'ulid';
import type { MonthView } from '#projections/month-document';
import { DEMO_FUNDS, DEMO_PLAN, DEMO_PURCHASES, type DemoPurchase } from './demo-plan.js';

export interface DemoHousehold {
  readonly email: string;
  readonly password: string;
  /** A personal access token with every scope. */
  readonly token: string;
  /** The present month, `YYYY-MM`. */
  readonly month: string;
}

interface DemoOptions {
  /** The server's own address, without a trailing slash. */
  readonly serverUrl: string;
  /** Where the server leaves its mails. */
  readonly outbox: string;
  /** Today, `YYYY-MM-DD`: the demo ends with this day. */
  readonly today: string;
}

const PASSWORD = 'four-jars-on-a-shelf';
const ANNA = { email: 'anna@example.com', name: 'Anna' };
const BEN = { email: 'ben@example.com', name: 'Ben' };
const MAIL_WAIT_MS = 10_000;

type Body = Record<string, unknown>;

/**
 * Fills a fresh server through its own API, as clients would: two people, three months, plans, funds, split and
 * untracked transactions. The same on every run but for ids.
 * @throws Error when the server answers what it should not
 */
export async function makeDemoHousehold(options: DemoOptions): Promise<DemoHousehold> {
  const anna = await signUp(options, ANNA);
  await anna.call('PATCH', `/households/${await homeOf(anna)}`, { name: 'Maple Street' });
  await joinedBy(options, anna);
  const months = lastMonths(options.today, 3);
  const ulid = monotonicFactory();
  const random = mulberry32(20_26);
  for (const [index, month] of months.entries()) {
    const budget = (await anna.call('POST', `/months/${month}`)) as unknown as MonthView;
    const items = new Map(budget.groups.flatMap(({ items }) => items).map(({ id, name }) => [name, id]));
    if (index === 0) await plan(anna, month, items);
    for (const transaction of transactionsOf(month, options.today, items, random)) {
      await anna.call('POST', '/transactions', { id: ulid(), ...transaction });
    }
  }
  const { secret } = await anna.call('POST', '/tokens', { name: 'Demo script' });
  return { email: ANNA.email, password: PASSWORD, token: String(secret), month: months.at(-1)! };
}

class Client {
  constructor(
    private readonly serverUrl: string,
    private readonly token: string | null,
  ) {}

  async call(method: string, path: string, body?: Body): Promise<Body> {
    const response = await fetch(`${this.serverUrl}/v1${path}`, {
      method,
      headers: {
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Body);
  }
}

async function signUp(options: DemoOptions, person: { email: string; name: string }): Promise<Client> {
  const visitor = new Client(options.serverUrl, null);
  await visitor.call('POST', '/auth/password/sign-up', { ...person, password: PASSWORD });
  const token = await mailedToken(options.outbox, person.email);
  const signedIn = await visitor.call('POST', '/auth/password/verify', { token, client: 'mobile' });
  return new Client(options.serverUrl, String(signedIn['token']));
}

/** The secret of the link in the mail to an address, which arrives a moment after the answer. */
async function mailedToken(outbox: string, email: string): Promise<string> {
  for (const deadline = Date.now() + MAIL_WAIT_MS; Date.now() < deadline;) {
    const names = existsSync(outbox) ? readdirSync(outbox) : [];
    for (const name of names.sort().reverse()) {
      const mail = readFileSync(join(outbox, name), 'utf8');
      if (!name.endsWith('.eml') || !mail.includes(email)) continue;
      const encoded = /^content-transfer-encoding: quoted-printable/im.test(mail);
      const text = encoded ? mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') : mail;
      const token = /\/verify\?token=([\w.~-]+)/.exec(text)?.[1];
      if (token !== undefined) return token;
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`no mail to ${email} came within ${MAIL_WAIT_MS} ms`);
}

async function homeOf(client: Client): Promise<string> {
  return String((await client.call('GET', '/me'))['default_household_id']);
}

async function joinedBy(options: DemoOptions, anna: Client): Promise<void> {
  const invite = await anna.call('POST', `/households/${await homeOf(anna)}/invites`, { email: BEN.email });
  const ben = await signUp(options, BEN);
  await ben.call('POST', `/invites/${String(invite['id'])}/accept`);
}

async function plan(anna: Client, month: string, items: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, planned] of Object.entries(DEMO_PLAN)) {
    await anna.call('PATCH', `/months/${month}/items/${items.get(name)}`, { planned });
  }
  for (const [name, { balance, target }] of Object.entries(DEMO_FUNDS)) {
    await anna.call('POST', `/months/${month}/items/${items.get(name)}/fund`, { current_balance: balance });
    await anna.call('PATCH', `/items/${items.get(name)}`, { fund_target: target });
  }
  for (const name of ['Groceries', 'Restaurants']) {
    await anna.call('PATCH', `/items/${items.get(name)}`, { favorite: true });
  }
}

function transactionsOf(
  month: string,
  today: string,
  items: ReadonlyMap<string, string>,
  random: () => number,
): Body[] {
  const made: Body[] = [];
  for (const purchase of DEMO_PURCHASES) {
    for (let i = 0; i < purchase.times; i++) {
      const day = purchase.day ?? 1 + Math.floor(random() * 28);
      const amount =
        purchase.amountMin + Math.floor(random() * (purchase.amountMax - purchase.amountMin + 1));
      const date = `${month}-${String(day).padStart(2, '0')}`;
      if (date > today) continue;
      const { merchant, note = null, type = 'expense' } = purchase;
      const splits = splitsOf(purchase, amount, items);
      made.push({ type, amount, date, merchant, note, budget_month: month, splits });
    }
  }
  return made.sort((a, b) => String(a['date']).localeCompare(String(b['date'])));
}

/** The last item takes what rounding leaves over, so that the splits always add up. */
function splitsOf(purchase: DemoPurchase, amount: number, items: ReadonlyMap<string, string>): Body[] {
  const shares = Object.entries(purchase.split);
  let left = amount;
  return shares.map(([name, percent], index) => {
    const share = index === shares.length - 1 ? left : Math.trunc((amount * percent) / 100);
    left -= share;
    return { item_id: items.get(name), amount: share };
  });
}

/** The month of a day and those before it, oldest first. */
function lastMonths(today: string, count: number): string[] {
  const [year, month] = today.split('-').map(Number) as [number, number];
  const last = year * 12 + month - 1;
  return Array.from({ length: count }, (_, i) => last - count + 1 + i).map(
    index => `${Math.trunc(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
  );
}

/** A small generator with a seed (https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
