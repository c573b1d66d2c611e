import { join } from 'node:path';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { TRANSACTIONS_PER_MONTH_MAX } from '#ledger/limits';
import type { MonthView } from '#projections/month-document';
import { mailedToken } from '../mailed-token.js';
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
  /** Of the log that is projected on the distributed stores. */
  readonly serverLogEvents: number;
  /** Households of one month and 30 transactions. */
  readonly smallHouseholds: number;
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
  serverLogEvents: 100_000,
  smallHouseholds: 50_000,
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
  serverLogEvents: 10_000,
  smallHouseholds: 2_000,
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
  /** Has a month that is full, with all transactions on one item. */
  readonly crowded: string;
}

interface SignedIn {
  readonly token: string;
  readonly me: { readonly user: { readonly id: string } };
}

const PASSWORD = 'as-many-as-there-are-stars';
/** Each may try to sign in ten times at once. */
const PEOPLE = 5;

/** What people sign in with: the first one has the households. */
export const CREDENTIALS = Array.from({ length: PEOPLE }, (_, person) => ({
  email: `bench${person}@example.com`,
  password: PASSWORD,
}));

/** Signs people up through the API and creates the households of the first one, all still empty. */
export async function signUp(
  server: LedgerServer,
  directory: string,
  sizes: Sizes,
): Promise<BenchHouseholds> {
  const people = [];
  for (const credentials of CREDENTIALS) {
    await server.call('POST', '/auth/password/sign-up', { body: { ...credentials, name: 'Bench' } });
    const token = await mailedToken(join(directory, 'outbox'), credentials.email, 'verify');
    const body = { token, client: 'mobile' };
    people.push(JSON.parse(await server.call('POST', '/auth/password/verify', { body })) as SignedIn);
  }
  const { token, me } = people[0]!;
  const create = async (name: string): Promise<string> => {
    const made = await server.call('POST', '/households', { token, body: { name } });
    return (JSON.parse(made) as { readonly id: string }).id;
  };
  const many: string[] = [];
  for (let i = 0; i < sizes.households; i++) many.push(await create(`Household ${i}`));
  const [young, old, crowded] = [await create('Young'), await create('Old'), await create('Crowded')];
  return { token, userId: me.user.id, many, young, old, crowded };
}

/** Appends the households' histories to the event log of a stopped server. */
export async function appendHistories(
  directory: string,
  { userId, many, young, old, crowded }: BenchHouseholds,
  sizes: Sizes,
): Promise<void> {
  const store = LedgerDatabase.open({ directory }).eventStore;
  const created = async (householdIds: readonly string[], transactions: number): Promise<void> => {
    const months = Math.max(12, Math.ceil(transactions / TRANSACTIONS_PER_MONTH));
    const options = { userId, eventsPerHousehold: transactions, mix: 'created', months } as const;
    await appendHistory(store, { householdIds, ...options });
  };
  await created(many, sizes.transactionsEach);
  await created([young], sizes.young);
  await created([old], sizes.old);
  await appendHistory(store, {
    householdIds: [crowded],
    userId,
    eventsPerHousehold: TRANSACTIONS_PER_MONTH_MAX,
    mix: 'created',
    months: 12,
    inOnePlace: true,
  });
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
  const fromFirst = months.map(({ month }) => month).reverse();
  const month = fromFirst[0]!;
  const view = JSON.parse(await server.call('GET', `/months/${month}`, { token, householdId })) as MonthView;
  const itemIds = view.groups.flatMap(({ items }) =>
    items.filter(({ kind }) => kind === 'expense').map(({ id }) => id),
  );
  return { householdId, month, months: fromFirst, itemIds };
}
