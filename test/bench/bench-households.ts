import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import type { MonthView } from '#projections/month-view';
import { appendHistory, TRANSACTIONS_PER_MONTH } from './history.js';
import type { LedgerServer } from './ledger-server.js';
import type { PostTarget } from './load-generator.js';

/** How large everything is. */
export interface Sizes {
  readonly households: number;
  readonly transactionsEach: number;
  /** Transactions of the two households whose ages are compared. */
  readonly young: number;
  readonly old: number;
  /** Events of the log that is projected. */
  readonly logEvents: number;
  readonly rounds: number;
  /** Of one measurement in one round. */
  readonly seconds: number;
}

/** As the requirements name them. */
export const FULL: Sizes = {
  households: 50,
  transactionsEach: 1_000,
  young: 2_000,
  old: 200_000,
  logEvents: 1_000_000,
  rounds: 5,
  seconds: 3,
};

/** Whether everything works, and roughly how fast. */
export const QUICK: Sizes = {
  households: 10,
  transactionsEach: 200,
  young: 2_000,
  old: 20_000,
  logEvents: 30_000,
  rounds: 3,
  seconds: 0.5,
};

/** One user with all the households of a run. */
export interface BenchHouseholds {
  readonly token: string;
  readonly userId: string;
  readonly many: readonly string[];
  readonly young: string;
  readonly old: string;
}

const PERSON = { email: 'bench@example.com', name: 'Bench' };
const PASSWORD = 'as-many-as-there-are-stars';
const MAIL_MS_MAX = 10_000;

/** Signs a user up through the API and creates the households, all still empty. */
export async function signUp(
  server: LedgerServer,
  directory: string,
  sizes: Sizes,
): Promise<BenchHouseholds> {
  await server.call('POST', '/auth/password/sign-up', { body: { ...PERSON, password: PASSWORD } });
  const secret = await mailedSecret(join(directory, 'outbox'));
  const body = { token: secret, client: 'mobile' };
  const answer = JSON.parse(await server.call('POST', '/auth/password/verify', { body })) as {
    readonly token: string;
    readonly me: { readonly user: { readonly id: string } };
  };
  const { token } = answer;
  const create = async (name: string): Promise<string> => {
    const made = await server.call('POST', '/households', { token, body: { name } });
    return (JSON.parse(made) as { readonly id: string }).id;
  };
  const many: string[] = [];
  for (let i = 0; i < sizes.households; i++) many.push(await create(`Household ${i}`));
  return { token, userId: answer.me.user.id, many, young: await create('Young'), old: await create('Old') };
}

/** The secret of the link in the only mail, which comes a moment after the answer. */
async function mailedSecret(outbox: string): Promise<string> {
  for (const deadline = performance.now() + MAIL_MS_MAX; performance.now() < deadline;) {
    const files = existsSync(outbox) ? readdirSync(outbox) : [];
    const name = files.find(file => file.endsWith('.eml'));
    const mail = name === undefined ? '' : readFileSync(join(outbox, name), 'utf8');
    const text = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    const secret = /\/verify\?token=([\w.~-]+)/.exec(text)?.[1];
    if (secret !== undefined) return secret;
    await pause(20);
  }
  throw new Error(`no mail came within ${MAIL_MS_MAX} ms`);
}

/** Appends the households' histories to the event log of a stopped server. */
export async function appendHistories(
  directory: string,
  { userId, many, young, old }: BenchHouseholds,
  sizes: Sizes,
): Promise<void> {
  const store = SqliteEventStore.open({ file: join(directory, 'events.db') });
  const created = async (householdIds: readonly string[], transactions: number): Promise<void> => {
    const months = Math.max(12, Math.ceil(transactions / TRANSACTIONS_PER_MONTH));
    const options = { userId, eventsPerHousehold: transactions, mix: 'created', months } as const;
    await appendHistory(store, { householdIds, ...options });
  };
  await created(many, sizes.transactionsEach);
  await created([young], sizes.young);
  await created([old], sizes.old);
  await store.close();
}

/** The month in which a household's history begins, and its expense items: where posts go. */
export async function postTarget(
  server: LedgerServer,
  token: string,
  householdId: string,
): Promise<PostTarget> {
  const answer = await server.call('GET', '/months', { token, householdId });
  const { months } = JSON.parse(answer) as { readonly months: readonly { readonly month: string }[] };
  const month = months.at(-1)!.month;
  const view = JSON.parse(await server.call('GET', `/months/${month}`, { token, householdId })) as MonthView;
  const itemIds = view.groups.flatMap(({ items }) =>
    items.filter(({ kind }) => kind === 'expense').map(({ id }) => id),
  );
  return { householdId, month, itemIds };
}
