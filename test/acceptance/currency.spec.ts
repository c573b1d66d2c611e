import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import type { Documents } from '#storage/documents/documents';
import { HouseholdDraft } from '#identity/households/household-draft';
import { HOUSEHOLDS, type HouseholdRecord } from '#identity/households/household-records';
import { parseConfiguration } from '#runtime/configuration';
import { startServer } from '#runtime/serve';
import { AppModule } from '../../apps/standalone/src/app.module.js';
import type { ActivityEntry } from '../../libs/budget/src/activity/activity.response.js';
import { invalid, itemNamed, ok, useService, type Household } from './household.scenario.js';

interface InCurrency {
  readonly id: string;
  readonly currency: string;
}

describe('the currency of a household', () => {
  const service = useService();

  const setCurrency = async (home: Household, currency: string): Promise<void> => {
    const changed = ok(await home.patch<InCurrency>(`/households/${home.id}`, { currency }));
    assert.equal(changed.currency, currency);
  };

  it('is the default one unless another is named, also of a personal household', async () => {
    const person = await service.stranger();
    const [usual, yen] = [
      ok(await person.post<InCurrency>('/households', { name: 'Usual' }), 201),
      ok(await person.post<InCurrency>('/households', { name: 'Yen', currency: 'JPY' }), 201),
    ];
    const { households } = ok(await person.get<{ households: InCurrency[] }>('/me'));
    assert.deepEqual(
      households.map(({ id, currency }) => [id, currency]),
      [
        [person.id, 'USD'],
        [usual.id, 'USD'],
        [yen.id, 'JPY'],
      ],
    );
  });

  it('is a code of ISO 4217 in upper case', async () => {
    const home = await service.household();
    for (const currency of ['usd', 'XYZ', 'EURO', '', 978, null]) {
      assert.deepEqual(invalid(await home.post('/households', { name: 'Home', currency })), ['currency']);
      assert.deepEqual(invalid(await home.patch(`/households/${home.id}`, { currency })), ['currency']);
    }
  });

  it('says what amounts mean and converts none', async () => {
    const home = await service.household();
    const fuel = itemNamed(await home.createMonth('2026-01'), 'Fuel').id;
    const { transaction } = await home.spend({ amount: 1250, splits: [{ item_id: fuel, amount: 1250 }] });
    const before = [await home.month('2026-01'), await home.transaction(transaction.id)];
    const seen = async (): Promise<string[]> => {
      const [{ summary }] = ok(await home.get<{ activity: [ActivityEntry] }>('/activity')).activity;
      const { history } = ok(
        await home.get<{ history: [ActivityEntry] }>(`/transactions/${transaction.id}/history`),
      );
      assert.equal(history[0].summary, summary);
      return [/of (.*) at/.exec(summary)?.[1] ?? summary, await csvAmount(home)];
    };
    for (const [currency, amount] of [
      ['JPY', '1250'],
      ['EUR', '12.50'],
      ['KWD', '1.250'],
    ] as const) {
      await setCurrency(home, currency);
      assert.deepEqual(await seen(), [amount, amount], currency);
      assert.deepEqual(
        [await home.month('2026-01'), await home.transaction(transaction.id)],
        before,
        currency,
      );
      assert.equal(ok(await home.get<InCurrency>('/export')).currency, currency);
    }
  });

  it('says with how many decimals a search finds an amount', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 1250, merchant: 'Shop' });
    const isFound = async (q: string): Promise<boolean> =>
      (await home.listAll({ view: 'untracked', q })).includes(transaction.id);
    const finds: readonly [currency: string, found: readonly string[], others: readonly string[]][] = [
      ['JPY', ['1250'], ['1250.0', '12.50', '1.250']],
      ['EUR', ['12.50', '12.5'], ['1250', '1.250']],
      ['KWD', ['1.250', '1.25'], ['1250', '12.50']],
    ];
    for (const [currency, found, others] of finds) {
      await setCurrency(home, currency);
      for (const q of found) assert.equal(await isFound(q), true, `${q} ${currency}`);
      for (const q of others) assert.equal(await isFound(q), false, `${q} ${currency}`);
    }
  });
});

describe('a household made before there were currencies', () => {
  it('gets the default one at the next start, and keeps it at later ones', async t => {
    const directory = await mkdtemp(join(tmpdir(), 'ledger-currency-'));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const during = async <T>(currency: string, work: (documents: Documents) => Promise<T>): Promise<T> => {
      const environment = { DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0', DEFAULT_CURRENCY: currency };
      const logger = pino({ level: 'silent' });
      const configuration = parseConfiguration(environment);
      const server = await startServer(configuration, logger, { projects: true }, AppModule.of);
      try {
        return await work(server.runtime.stores.documents);
      } finally {
        await server.stop();
      }
    };
    const household = { id: 'H', name: 'Home', currency: 'EUR', ownerId: 'anna', personal: false, now: 0 };
    const { currency: _, ...former } = HouseholdDraft.create(household);
    await during('USD', documents => documents.insert(HOUSEHOLDS, former as HouseholdRecord));
    const recorded = async (documents: Documents) => (await documents.get(HOUSEHOLDS, 'H'))?.currency;
    assert.equal(await during('JPY', recorded), 'JPY');
    assert.equal(await during('KWD', recorded), 'JPY');
  });
});

/** The amount in the first row of the CSV export. */
async function csvAmount(home: Household): Promise<string> {
  const reply = await fetch(`${home.service.origin}/v1/export?format=csv`, {
    headers: { Authorization: `Bearer ${home.user.token}`, 'X-Service-Household': home.id },
  });
  return (await reply.text()).split('\r\n')[1]!.split(',')[5]!;
}
