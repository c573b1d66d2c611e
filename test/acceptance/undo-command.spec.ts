import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ulidToUUID } from 'ulid';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import type { FundHistoryResponse } from '../../libs/budget/src/funds/get-fund-history.js';
import { itemNamed, NOWHERE, ok, refused, useService, type Household } from './household.scenario.js';

interface Undone {
  readonly event_id: string;
  readonly months: readonly MonthView[];
  readonly transaction: TransactionView | null;
  readonly untracked_count: number;
}

interface Entry {
  readonly event_id: string;
  readonly type: string;
  readonly months: readonly string[];
  readonly transaction_id: string | null;
}

async function newest(home: Household): Promise<Entry> {
  return ok(await home.get<{ activity: Entry[] }>('/activity?limit=1')).activity[0]!;
}

function undo(home: Household, eventId: string): ReturnType<typeof home.post<Undone>> {
  return home.post<Undone>(`/activity/${eventId}/undo`);
}

describe('POST /activity/{eventId}/undo', () => {
  const service = useService();

  it('stands in the activity and the history of the transaction that it was about', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const { transaction } = await home.spend({ amount: 100, splits: [] });
    await home.delete(`/transactions/${transaction.id}`);
    ok(await undo(home, (await newest(home)).event_id));
    assert.equal((await newest(home)).transaction_id, transaction.id);
    const { history } = ok(await home.get<{ history: Entry[] }>(`/transactions/${transaction.id}/history`));
    assert.deepEqual(
      history.map(({ type, transaction_id }) => [type, transaction_id]),
      ['TransactionCreated', 'TransactionDeleted', 'CommandUndone'].map(type => [type, transaction.id]),
    );
  });

  it('brings a deleted item back with its plan and the splits that went with it, and redoes', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    await home.plan('2026-01', { Fuel: 500 });
    const { transaction } = await home.spend({ amount: 100, splits: [{ item_id: fuel, amount: 100 }] });
    const before = await home.month('2026-01');
    await home.delete(`/months/2026-01/items/${fuel}`);
    const removal = await newest(home);
    const after = await home.month('2026-01');
    const undone = ok(await undo(home, removal.event_id));
    assert.deepEqual(undone.months, [before]);
    assert.equal(undone.untracked_count, 0);
    assert.equal(undone.transaction, null);
    assert.deepEqual(await home.month('2026-01'), before);
    assert.deepEqual((await home.transaction(transaction.id)).splits, transaction.splits);
    const undoing = await newest(home);
    assert.equal(undoing.event_id, undone.event_id);
    assert.equal(undoing.type, 'CommandUndone');
    ok(await undo(home, undoing.event_id));
    assert.deepEqual(await home.month('2026-01'), after);
    assert.equal((await home.transaction(transaction.id)).status, 'untracked');
  });

  it('leaves an undone creation deleted, and a created month gone', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const month = await newest(home);
    const { transaction } = await home.spend({ amount: 100, splits: [{ item_id: fuel, amount: 100 }] });
    const creation = await newest(home);
    const details = refused(await undo(home, month.event_id), 409, 'undo_blocked');
    assert.equal(details['by_event_id'], creation.event_id);
    const undone = ok(await undo(home, creation.event_id));
    assert.equal(undone.transaction?.status, 'deleted');
    assert.equal((await home.transaction(transaction.id)).status, 'deleted');
    assert.deepEqual(ok(await undo(home, month.event_id)).months, []);
    refused(await home.get('/months/2026-01'), 404, 'not_found');
    assert.deepEqual(ok(await home.get('/months')), { months: [] });
    assert.equal((await home.createMonth('2026-01')).month, '2026-01');
  });

  it('undoes a creation or a restoration although the note was changed, but not the amount', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const splits = [{ item_id: fuel, amount: 100 }];
    const { transaction } = await home.spend({ amount: 100, splits });
    const path = `/transactions/${transaction.id}`;
    const creation = await newest(home);
    ok(await home.patch(path, { note: 'on the way' }));
    const undone = ok(await undo(home, creation.event_id));
    assert.deepEqual([undone.transaction?.status, undone.transaction?.note], ['deleted', 'on the way']);
    ok(await home.post(`${path}/restore`));
    const restoration = await newest(home);
    ok(await home.patch(path, { note: 'on the way home' }));
    assert.equal(ok(await undo(home, restoration.event_id)).transaction?.status, 'deleted');
    const redone = ok(await undo(home, (await newest(home)).event_id));
    assert.equal(redone.transaction?.note, 'on the way home');
    assert.deepEqual(
      redone.transaction.splits.map(({ item_id, amount }) => ({ item_id, amount })),
      splits,
    );
    ok(await home.patch(path, { amount: 120, splits: [{ item_id: fuel, amount: 120 }] }));
    const change = await newest(home);
    assert.deepEqual(refused(await undo(home, restoration.event_id), 409, 'undo_blocked'), {
      by_event_id: change.event_id,
    });
  });

  it('undoes a change of what was deleted and is back, and none of what is deleted', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction } = await home.spend({ amount: 100, splits: [{ item_id: fuel, amount: 100 }] });
    const path = `/transactions/${transaction.id}`;
    ok(await home.patch(path, { amount: 120 }));
    const dearer = await newest(home);
    ok(await home.patch(path, { note: 'on the way' }));
    const noted = await newest(home);
    ok(await home.delete(path));
    const deletion = await newest(home);
    for (const { event_id } of [noted, dearer]) {
      const details = refused(await undo(home, event_id), 409, 'undo_blocked');
      assert.deepEqual(details, { by_event_id: deletion.event_id });
    }
    ok(await home.post(`${path}/restore`));
    for (const { event_id } of [noted, dearer]) ok(await undo(home, event_id));
    const back = ok(await home.get<TransactionView>(path));
    assert.deepEqual([back.note, back.amount, back.splits[0]?.amount], [null, 100, 100]);
    assert.equal(itemNamed(ok(await home.get<MonthView>('/months/2026-01')), 'Fuel').spent, 100);
  });

  it('does not undo a change of splits of which a restoration dropped some', async () => {
    const home = await service.household();
    const first = await home.createMonth('2026-01');
    const [fuel, rent] = ['Fuel', 'Water'].map(name => itemNamed(first, name).id);
    const { transaction } = await home.spend({ amount: 100, splits: [{ item_id: fuel!, amount: 100 }] });
    const path = `/transactions/${transaction.id}`;
    const splits = [fuel!, rent!].map(item_id => ({ item_id, amount: 50 }));
    ok(await home.patch(path, { splits }));
    const change = await newest(home);
    ok(await home.delete(path));
    ok(await home.delete(`/months/2026-01/items/${rent}`));
    ok(await home.post(`${path}/restore`));
    const restoration = await newest(home);
    const details = refused(await undo(home, change.event_id), 409, 'undo_blocked');
    assert.deepEqual(details, { by_event_id: restoration.event_id });
  });

  it('records nothing the second time, and names what is in the way', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    await home.plan('2026-01', { Fuel: 100 });
    const first = await newest(home);
    await home.plan('2026-01', { Fuel: 200 });
    const second = await newest(home);
    assert.equal(
      refused(await undo(home, first.event_id), 409, 'undo_blocked')['by_event_id'],
      second.event_id,
    );
    ok(await undo(home, second.event_id));
    const undone = ok(await undo(home, first.event_id));
    assert.equal(itemNamed(undone.months[0]!, 'Fuel').planned, 0);
    const latest = await newest(home);
    assert.deepEqual(ok(await undo(home, first.event_id)).months, []);
    assert.deepEqual(await newest(home), latest);
  });

  it('names the same undoing and transaction when it is repeated, by a key or without', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    for (const headers of [{}, { 'Idempotency-Key': 'undo' }]) {
      const { transaction } = await home.spend({ amount: 100, splits: [] });
      const path = `/activity/${(await newest(home)).event_id}/undo`;
      const first = ok(await home.post<Undone>(path, undefined, headers));
      const again = ok(await home.post<Undone>(path, undefined, headers));
      assert.equal((await newest(home)).event_id, first.event_id);
      assert.deepEqual(again, { ...first, months: [] });
      assert.equal(again.transaction?.id, transaction.id);
    }
  });

  it('does not know an event that is not there', async () => {
    const home = await service.household();
    for (const id of [NOWHERE, '5f0c2a3e-7d1b-4c7e-9a55-0b1f6a1d2c3e', 'ZZZZZZZZZZZZZZZZZZZZZZZZZZ']) {
      const reply = await undo(home, id);
      assert.deepEqual(refused(reply, 404, 'not_found'), { resource: 'route' });
      assert.equal(reply.error.message, 'This household has no such event.');
    }
    refused(await undo(home, 'nothing'), 422, 'validation_failed');
  });

  it('undoes a command by any of its events', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    ok(await home.post(`/months/2026-01/items/${id}/fund`, { current_balance: 500 }));
    ok(await home.patch(`/items/${id}`, { name: 'Petrol', is_fund: false }));
    const command = await newest(home);
    const { entries } = ok(await home.get<FundHistoryResponse>(`/items/${id}/fund-history`));
    const closed = entries.at(-1)!;
    assert.equal(closed.kind, 'closed');
    assert.notEqual(closed.event_id, command.event_id);
    const { event_id } = ok(await undo(home, closed.event_id));
    const item = itemNamed(ok(await home.get<MonthView>('/months/2026-01')), 'Fuel');
    assert.deepEqual([item.is_fund, item.fund?.ending], [true, 500]);
    for (const same of [command, closed])
      assert.equal(ok(await undo(home, same.event_id)).event_id, event_id);
  });

  it('knows an event by the UUID that the event store has, too', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const { event_id } = await newest(home);
    const uuid = ulidToUUID(event_id).toLowerCase();
    const undone = ok(await undo(home, uuid));
    assert.equal((await newest(home)).event_id, undone.event_id);
    assert.equal(ok(await undo(home, event_id)).event_id, undone.event_id);
    assert.equal(ok(await undo(home, uuid.toUpperCase())).event_id, undone.event_id);
  });
});
