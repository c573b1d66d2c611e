import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, dataOf, newTransactionId, type LedgerClient, type Schemas } from '#client/client';
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

type Purchase = Omit<Schemas['CreateTransactionBody'], 'id'>;

/**
 * Fills a fresh server through its own API, as clients would: two people, three months, plans, funds, split and
 * untracked transactions. The same on every run but for ids.
 * @throws LedgerError when the server answers what it should not; Error when a mail does not come
 */
export async function makeDemoHousehold(options: DemoOptions): Promise<DemoHousehold> {
  const anna = await signUp(options, ANNA);
  const me = await dataOf(anna.GET('/me'));
  const home = { path: { householdId: me.default_household_id } };
  await dataOf(anna.PATCH('/households/{householdId}', { params: home, body: { name: 'Maple Street' } }));
  const invite = { params: home, body: { email: BEN.email } };
  const { id: inviteId } = await dataOf(anna.POST('/households/{householdId}/invites', invite));
  const ben = await signUp(options, BEN);
  await dataOf(ben.POST('/invites/{inviteId}/accept', { params: { path: { inviteId } } }));
  const months = lastMonths(options.today, 3);
  const random = mulberry32(20_26);
  for (const [index, month] of months.entries()) {
    const budget = await dataOf(anna.POST('/months/{month}', { params: { path: { month } } }));
    const items = new Map(budget.groups.flatMap(({ items }) => items).map(({ id, name }) => [name, id]));
    if (index === 0) await plan(anna, month, items);
    for (const transaction of transactionsOf(month, options.today, items, random)) {
      await dataOf(anna.POST('/transactions', { body: { id: newTransactionId(), ...transaction } }));
    }
  }
  const { secret } = await dataOf(anna.POST('/tokens', { body: { name: 'Demo script' } }));
  return { email: ANNA.email, password: PASSWORD, token: secret!, month: months.at(-1)! };
}

async function signUp(
  { serverUrl: url, outbox }: DemoOptions,
  person: { email: string; name: string },
): Promise<LedgerClient> {
  const visitor = createClient({ url });
  await dataOf(visitor.POST('/auth/password/sign-up', { body: { ...person, password: PASSWORD } }));
  const body = { token: await mailedToken(outbox, person.email), client: 'mobile' } as const;
  const { token } = await dataOf(visitor.POST('/auth/password/verify', { body }));
  return createClient({ url, token });
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

async function plan(anna: LedgerClient, month: string, items: ReadonlyMap<string, string>): Promise<void> {
  const at = (name: string) => ({ path: { month, itemId: items.get(name)! } });
  for (const [name, planned] of Object.entries(DEMO_PLAN)) {
    await dataOf(anna.PATCH('/months/{month}/items/{itemId}', { params: at(name), body: { planned } }));
  }
  for (const [name, { balance: current_balance, target: fund_target }] of Object.entries(DEMO_FUNDS)) {
    const made = { params: at(name), body: { current_balance } };
    await dataOf(anna.POST('/months/{month}/items/{itemId}/fund', made));
    await dataOf(anna.PATCH('/items/{itemId}', { params: at(name), body: { fund_target } }));
  }
  for (const name of ['Groceries', 'Restaurants']) {
    await dataOf(anna.PATCH('/items/{itemId}', { params: at(name), body: { favorite: true } }));
  }
}

function transactionsOf(
  month: string,
  today: string,
  items: ReadonlyMap<string, string>,
  random: () => number,
): Purchase[] {
  const made: Purchase[] = [];
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
  return made.sort((a, b) => a.date.localeCompare(b.date));
}

/** The last item takes what rounding leaves over, so that the splits always add up. */
function splitsOf(
  purchase: DemoPurchase,
  amount: number,
  items: ReadonlyMap<string, string>,
): Purchase['splits'] {
  const shares = Object.entries(purchase.split);
  let left = amount;
  return shares.map(([name, percent], index) => {
    const share = index === shares.length - 1 ? left : Math.trunc((amount * percent) / 100);
    left -= share;
    return { item_id: items.get(name)!, amount: share };
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
