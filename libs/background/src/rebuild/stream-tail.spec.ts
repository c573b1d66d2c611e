import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { recordOf } from '#projections/transaction-document';
import {
  createMonth,
  endRevisionOf,
  envelope,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
  type CommandStreams,
} from '#streams/streams.scenario';
import { StreamTail } from './stream-tail.js';

describe('the end of a stream', () => {
  let place: Workplace;
  let streams: CommandStreams;
  before(async () => {
    place = await workplace();
    streams = place.instance();
  });
  after(() => place.close());

  it('makes of a transaction what its events say, as of a revision', async () => {
    const [id, transaction, other] = [freshId(), freshId(), freshId()];
    await streams.execute(id, createMonth('2026-01'), envelope());
    await streams.execute(id, expense(transaction), envelope());
    const begun = await endRevisionOf(place, id);
    const key = `${id}|${transaction}`;
    const before = recordOf((await place.documents.get(MODELS.transactions, key))!);
    const tail = new StreamTail(place.store, id, begun);
    await streams.execute(id, expense(other), envelope());
    await streams.execute(id, { type: 'DeleteTransaction', id: transaction }, envelope());
    assert.equal(await tail.reach(begun + 2), 'reached');
    assert.deepEqual(tail.fold(key, before, begun + 1), before);
    const deleted = recordOf((await place.documents.get(MODELS.transactions, key))!);
    assert.deepEqual(tail.fold(key, before, begun + 2), deleted);
    const created = recordOf((await place.documents.get(MODELS.transactions, `${id}|${other}`))!);
    assert.deepEqual(tail.fold(`${id}|${other}`, null, begun + 2), created);
    assert.equal(tail.fold(`${id}|nobody`, null, begun + 2), null);
  });

  it('makes of a transaction what several events say one after the other', async () => {
    const [id, transaction] = [freshId(), freshId()];
    await streams.execute(id, createMonth('2026-01'), envelope());
    const begun = await endRevisionOf(place, id);
    const tail = new StreamTail(place.store, id, begun);
    await streams.execute(id, expense(transaction), envelope());
    for (const amount of [7, 8]) {
      const command = { type: 'ChangeTransaction', id: transaction, changes: { amount } } as const;
      await streams.execute(id, command, envelope());
    }
    assert.equal(await tail.reach(begun + 3), 'reached');
    const key = `${id}|${transaction}`;
    const changed = recordOf((await place.documents.get(MODELS.transactions, key))!);
    assert.deepEqual(tail.fold(key, null, begun + 3), changed);
    assert.equal(tail.fold(key, null, begun + 2)?.amount, 7);
  });

  it('tells where it ends, and reads on when more has come', async () => {
    const id = freshId();
    await streams.execute(id, createMonth('2026-01'), envelope());
    const begun = await endRevisionOf(place, id);
    const tail = new StreamTail(place.store, id, begun);
    assert.equal(await tail.reach(begun), 'reached');
    assert.equal(await tail.reach(begun + 1), 'past the end');
    await streams.execute(id, expense(freshId()), envelope());
    assert.equal(await tail.reach(begun + 1), 'reached');
    assert.equal(await tail.reach(begun + 2), 'past the end');
  });

  it('remembers no more than so many events', async () => {
    const id = freshId();
    await streams.execute(id, createMonth('2026-01'), envelope());
    const begun = await endRevisionOf(place, id);
    const tail = new StreamTail(place.store, id, begun, 2);
    for (let i = 0; i < 3; i++) await streams.execute(id, expense(freshId()), envelope());
    assert.equal(await tail.reach(begun + 2), 'reached');
    assert.equal(await tail.reach(begun + 3), 'too long');
    assert.equal(await tail.reach(begun + 9), 'too long');
  });
});
