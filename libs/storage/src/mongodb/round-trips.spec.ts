import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { OPERATION_DEADLINE_MS } from './mongo-connection.js';
import { RoundTrips, TRIP_AWAITED_MS, TRIPS_AT_ONCE } from './round-trips.js';

interface Departed {
  readonly asked: readonly string[];
  readonly deadlineMs: number;
  readonly arrive: (answers: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** Long enough for an answer to reach its callers, and for the departure that follows. */
const turn = (): Promise<void> => new Promise(resolve => setImmediate(() => setImmediate(resolve)));

describe('round trips that callers share', () => {
  let departed: Departed[];
  let trips: RoundTrips<string, string>;

  beforeEach(() => {
    departed = [];
    trips = new RoundTrips(
      (asked, deadlineMs) =>
        new Promise((arrive, fail) => void departed.push({ asked, deadlineMs, arrive, fail })),
      3,
    );
  });
  const carried = (): string[][] => departed.map(({ asked }) => [...asked]);

  it('carry who asks in the same turn together', async () => {
    const answers = ['a', 'b'].map(each => trips.ask(each));
    await turn();
    assert.deepEqual(carried(), [['a', 'b']]);
    departed[0]!.arrive(['A', 'B']);
    assert.deepEqual(await Promise.all(answers), ['A', 'B']);
  });

  it('carry who asks while none is on its way at once, and who asks meanwhile together', async () => {
    const first = trips.ask('a');
    await turn();
    const later = [trips.ask('b')];
    await turn();
    later.push(trips.ask('c'));
    assert.deepEqual(carried(), [['a']]);
    departed[0]!.arrive(['A']);
    assert.equal(await first, 'A');
    await turn();
    assert.deepEqual(carried(), [['a'], ['b', 'c']]);
    departed[1]!.arrive(['B', 'C']);
    assert.deepEqual(await Promise.all(later), ['B', 'C']);
    void trips.ask('d');
    await turn();
    assert.deepEqual(carried().at(-1), ['d']);
  });

  it('carry no more than one may', async () => {
    for (const each of ['a', 'b', 'c', 'd', 'e']) void trips.ask(each);
    await turn();
    assert.deepEqual(carried(), [['a', 'b', 'c']]);
    departed[0]!.arrive(['A', 'B', 'C']);
    await turn();
    assert.deepEqual(carried(), [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  it('fail for those whom they carry, and for nobody else', async () => {
    const first = trips.ask('a');
    await turn();
    const second = trips.ask('b');
    departed[0]!.fail(new Error('down'));
    await assert.rejects(first, /down/);
    await turn();
    departed[1]!.arrive(['B']);
    assert.equal(await second, 'B');
  });

  it('pass by one that hangs, with what is left of their time', async context => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    void trips.ask('a');
    await turn();
    for (let each = 1; each <= TRIPS_AT_ONCE; each += 1) {
      void trips.ask(`b${each}`);
      assert.equal(departed.length, each);
      context.mock.timers.tick(TRIP_AWAITED_MS);
    }
    assert.deepEqual(carried(), [['a'], ['b1'], ['b2'], ['b3']]);
    for (const { deadlineMs } of departed) assert.ok(deadlineMs > 0 && deadlineMs <= OPERATION_DEADLINE_MS);
    departed[2]!.arrive(['B2']);
    await turn();
    assert.deepEqual(carried().at(-1), [`b${TRIPS_AT_ONCE}`]);
  });

  it('are never more at once than may be, also where one is overdue when another has come back', async context => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    for (let each = 1; each <= TRIPS_AT_ONCE; each += 1) {
      void trips.ask(`a${each}`);
      if (each === 1) await turn();
      else context.mock.timers.tick(TRIP_AWAITED_MS);
    }
    for (let each = 1; each <= 4; each += 1) void trips.ask(`b${each}`);
    departed[0]!.arrive(['A1']);
    // Its callers and the next departure are told, but the turn has not ended.
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
    context.mock.timers.tick(TRIP_AWAITED_MS);
    await turn();
    assert.deepEqual(carried().slice(TRIPS_AT_ONCE), [['b1', 'b2', 'b3']]);
    departed[1]!.arrive(['A2']);
    await turn();
    assert.deepEqual(carried().at(-1), ['b4']);
  });
});
