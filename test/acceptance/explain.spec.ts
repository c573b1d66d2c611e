import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExplainedFigure } from '#projections/explanation';
import { itemNamed, NOWHERE, ok, refused, useService, type Household } from './household.scenario.js';

interface Explanation {
  readonly month: string;
  readonly item_id: string | null;
  readonly figures: readonly ExplainedFigure[];
}

describe('explaining figures', () => {
  const service = useService();

  const total = (parts: readonly { readonly amount: number }[]): number =>
    parts.reduce((sum, { amount }) => sum + amount, 0);
  const explained = async (home: Household, path: string): Promise<Map<string, ExplainedFigure>> => {
    const { figures } = ok(await home.get<Explanation>(`/months/${path}`));
    for (const { figure, value, terms } of figures) {
      assert.equal(value, total(terms), figure);
      for (const { term, amount, sources } of terms)
        assert.equal(amount, total(sources), `${figure}: ${term}`);
    }
    return new Map(figures.map(figure => [figure.figure, figure]));
  };
  /** Terms with an amount, and where from. */
  const terms = (figure: ExplainedFigure | undefined): unknown[] =>
    figure!.terms
      .filter(({ sources }) => sources.length > 0)
      .map(({ term, sources }) => [term, ...sources.map(({ kind, amount, label }) => [kind, amount, label])]);

  it('tells the worked example', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const [car, food] = [itemNamed(month, 'Car').id, itemNamed(month, 'Groceries').id];
    await home.plan('2026-01', { Paycheck: 500_000, Groceries: 60_000, Car: 5000 });
    await home.openFund('2026-01', car, 20_000);
    const splits = [
      { item_id: food, amount: 3000 },
      { item_id: car, amount: 1500 },
    ];
    await home.spend({ amount: 4500, splits });
    await home.spend({ amount: 500, type: 'income', splits: [{ item_id: food, amount: 500 }] });
    await home.createMonth('2026-02');
    ok(await home.post(`/months/2026-02/items/${car}/fund-balance`, { current_balance: 30_000 }));

    const left = (await explained(home, '2026-01/explain')).get('left_to_budget');
    assert.equal(left!.value, 435_000);
    assert.deepEqual(terms(left), [
      ['planned_income', ['event', 500_000, 'Paycheck']],
      ['planned_expenses', ['event', -60_000, 'Groceries'], ['event', -5000, 'Car']],
    ]);

    const groceries = await explained(home, `2026-01/items/${food}/explain`);
    assert.deepEqual([...groceries.keys()], ['planned', 'spent', 'received', 'remaining']);
    assert.deepEqual(terms(groceries.get('spent')), [
      ['expenses', ['transaction', 3000, 'Corner Shop']],
      ['refunds', ['transaction', -500, 'Corner Shop']],
    ]);
    assert.equal(groceries.get('remaining')!.value, 57_500);

    const january = await explained(home, `2026-01/items/${car}/explain`);
    assert.deepEqual(terms(january.get('carry_in')), [
      ['opening_balance', ['event', 20_000, 'Opening balance']],
    ]);
    const february = await explained(home, `2026-02/items/${car}/explain`);
    assert.equal(february.get('ending')!.value, 30_000);
    assert.deepEqual(terms(february.get('ending')), [
      ['carry_in', ['month', 23_500, 'Ending of 2026-01']],
      ['planned', ['event', 5000, 'Planned']],
      ['adjustments', ['event', 1500, 'Adjustment']],
    ]);
  });

  it('explains income, and what nobody planned', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const pay = itemNamed(month, 'Paycheck').id;
    await home.spend({ amount: 900, type: 'income', splits: [{ item_id: pay, amount: 900 }] });
    const figures = await explained(home, `2026-01/items/${pay}/explain`);
    assert.deepEqual(terms(figures.get('received')), [['incomes', ['transaction', 900, 'Corner Shop']]]);
    assert.equal(figures.get('remaining')!.value, -900);
    assert.equal((await explained(home, '2026-01/explain')).get('left_to_budget')!.value, 0);
  });

  it('names the last event that planned an item', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    for (const planned of [5, 6, 5]) ok(await home.patch(`/months/2026-01/items/${id}`, { planned }));
    const { activity } = ok(await home.get<{ activity: { event_id: string; at: string }[] }>('/activity'));
    const [source] = (await explained(home, `2026-01/items/${id}/explain`)).get('planned')!.terms[0]!.sources;
    const { event_id, at } = activity[0]!;
    assert.deepEqual(source, { kind: 'event', id: event_id, amount: 5, at, label: 'Planned' });
  });

  it('names no event that was undone, but the one that holds again', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const recorded = async (): Promise<string> => {
      const { activity } = ok(await home.get<{ activity: { event_id: string }[] }>('/activity?limit=1'));
      return activity[0]!.event_id;
    };
    const undo = async (event: string): Promise<unknown> => ok(await home.post(`/activity/${event}/undo`));
    const sourceOf = async (figure: string): Promise<unknown> =>
      (await explained(home, `2026-01/items/${id}/explain`)).get(figure)?.terms[0]?.sources[0]?.id;

    const plans: string[] = [];
    for (const planned of [100, 200, 100]) {
      await home.plan('2026-01', { Fuel: planned });
      plans.push(await recorded());
    }
    assert.equal(await sourceOf('planned'), plans[2]);
    await undo(plans[2]!);
    await undo(plans[1]!);
    assert.equal(await sourceOf('planned'), plans[0]);

    await home.openFund('2026-01', id, 20_000);
    const opening = await recorded();
    ok(await home.patch(`/items/${id}`, { is_fund: false }));
    const ending = await recorded();
    await home.openFund('2026-01', id, 5);
    await undo(await recorded());
    await undo(ending);
    assert.equal(await sourceOf('carry_in'), opening);
    await undo(await recorded());
    assert.equal((await explained(home, `2026-01/items/${id}/explain`)).get('carry_in'), undefined);
  });

  it('knows no month or item that is not there', async () => {
    const home = await service.household();
    assert.deepEqual(refused(await home.get('/months/2026-01/explain'), 404, 'not_found'), {
      resource: 'month',
    });
    await home.createMonth('2026-01');
    const reply = await home.get(`/months/2026-01/items/${NOWHERE}/explain`);
    assert.deepEqual(refused(reply, 404, 'not_found'), { resource: 'item' });
  });
});
