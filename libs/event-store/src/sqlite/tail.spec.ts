import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newEvent } from '../contract/fixture.js';
import { READ_PAGE_EVENTS, type Delivery, type RecordedEvent } from '../event-store.js';
import type { AppendedBatch } from './appended-batch.js';
import { positionText } from './event-table.js';
import { CHECKPOINT_POSITIONS, Tail, WAITING_EVENTS_MAX, WAITING_SIZE_MAX } from './tail.js';

describe('the tail of a subscription', () => {
  let tail: Tail;
  let last: number;

  const events = (count: number, stream = 'ours'): RecordedEvent[] =>
    Array.from({ length: count }, (_, revision) => ({
      ...newEvent(),
      stream,
      revision,
      position: positionText((last += 1)),
    }));
  const offer = ({ events: offered, size }: Pick<AppendedBatch, 'events' | 'size'>): void =>
    tail.offer({ events: offered, size, last });
  /** Everything that is to be delivered now. */
  const taken = (): Delivery[] => {
    const deliveries: Delivery[] = [];
    for (let delivery = tail.take(); delivery !== undefined; delivery = tail.take())
      deliveries.push(delivery);
    return deliveries;
  };
  const positions = (): string[] =>
    taken().flatMap(delivery =>
      delivery.kind === 'events' ? delivery.events.map(({ position }) => position) : [delivery.kind],
    );

  beforeEach(() => {
    last = 0;
    tail = new Tail('our', undefined);
  });

  const catchUp = (): void => {
    tail.accept([], last, true);
    taken();
  };

  it('says that it is live once, behind the page with which it is', () => {
    tail.accept(events(1), last, false);
    assert.deepEqual(positions(), [positionText(1)]);
    tail.accept(events(1), last, true);
    assert.deepEqual(positions(), [positionText(2), 'caught-up']);
    tail.fallBehind();
    tail.accept(events(1), last, true);
    assert.deepEqual(positions(), [positionText(3)]);
    tail.disconnected();
    assert.ok(tail.behind);
    tail.accept([], last, true);
    assert.deepEqual(positions(), ['caught-up']);
  });

  it('leaves out what came with a page before it was offered', () => {
    catchUp();
    const [read, late] = [events(2), events(1)];
    tail.fallBehind();
    tail.accept(read, last - 1, true);
    assert.deepEqual(positions(), [positionText(1), positionText(2)]);
    offer({ events: [...read, ...late], size: 1 });
    assert.deepEqual(positions(), [positionText(3)]);
    last = 2;
    offer({ events: read, size: 1 });
    assert.deepEqual(positions(), []);
    last = 3;
    offer({ events: events(1), size: 1 });
    assert.deepEqual(positions(), [positionText(4)]);
  });

  it('tells before that how far the store is, unless an event waits that is not delivered yet', () => {
    tail.accept([], 7, true);
    assert.deepEqual(taken(), [{ kind: 'checkpoint', position: positionText(7) }, { kind: 'caught-up' }]);
    tail = new Tail('our', positionText(7));
    tail.accept([], 7, true);
    assert.deepEqual(positions(), ['caught-up']);
    tail = new Tail('our', undefined);
    tail.accept([], 7, true);
    last = 7;
    offer({ events: events(1), size: 1 });
    assert.deepEqual(positions(), ['caught-up', positionText(8)]);
  });

  it('tells how far the store is when that is far from what was delivered', () => {
    catchUp();
    offer({ events: events(CHECKPOINT_POSITIONS - 1, 'theirs'), size: 1 });
    assert.deepEqual(taken(), []);
    offer({ events: events(1, 'theirs'), size: 1 });
    assert.deepEqual(taken(), [{ kind: 'checkpoint', position: positionText(CHECKPOINT_POSITIONS) }]);
  });

  it('delivers pages of the events that wait, and reads the others later where these are too many', () => {
    catchUp();
    offer({ events: events(WAITING_EVENTS_MAX), size: 1 });
    assert.ok(!tail.behind);
    offer({ events: events(1), size: 1 });
    assert.ok(tail.behind);
    offer({ events: events(1), size: 1 });
    assert.equal(tail.position, WAITING_EVENTS_MAX);
    const pages = taken().map(delivery => delivery.kind === 'events' && delivery.events.length);
    assert.deepEqual(
      pages,
      Array.from({ length: WAITING_EVENTS_MAX / READ_PAGE_EVENTS }, () => READ_PAGE_EVENTS),
    );
  });

  it('lets no more text wait than its bound, of the events that are for it', () => {
    catchUp();
    for (let batch = 0; batch < 3; batch++) {
      offer({ events: events(1), size: WAITING_SIZE_MAX });
      assert.deepEqual(positions(), [positionText(last)]);
    }
    offer({ events: events(1, 'theirs'), size: WAITING_SIZE_MAX });
    offer({ events: events(1), size: WAITING_SIZE_MAX });
    assert.ok(!tail.behind);
    offer({ events: events(1), size: 1 });
    assert.ok(tail.behind);
    assert.equal(tail.position, last - 1);
  });

  it('waits until it is woken, and no longer than it is told', async context => {
    const { timers } = context.mock;
    timers.enable({ apis: ['setTimeout'] });
    const woken: string[] = [];
    const bounded = tail.wait(100).then(() => woken.push('in time'));
    tail.wake();
    await bounded;
    const unbounded = tail.wait().then(() => woken.push('at last'));
    timers.tick(100);
    await nextTurn();
    assert.deepEqual(woken, ['in time']);
    tail.wake();
    await unbounded;
    const late = tail.wait(100).then(() => woken.push('too late'));
    timers.tick(100);
    await late;
    assert.deepEqual(woken, ['in time', 'at last', 'too late']);
  });
});
