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

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

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

  it('carry who asks while none is on its way at once, and who asks meanwhile together', async () => {
    const answers = ['a', 'b', 'c'].map(each => trips.ask(each));
    assert.deepEqual(carried(), [['a']]);
    departed[0]!.arrive(['A']);
    assert.equal(await answers[0], 'A');
    await turn();
    assert.deepEqual(carried(), [['a'], ['b', 'c']]);
    departed[1]!.arrive(['B', 'C']);
    assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C']);
    void trips.ask('d');
    assert.deepEqual(carried().at(-1), ['d']);
  });

  it('carry no more than one may', async () => {
    void trips.ask('a');
    for (const each of ['b', 'c', 'd', 'e']) void trips.ask(each);
    departed[0]!.arrive(['A']);
    await turn();
    departed[1]!.arrive(['B', 'C', 'D']);
    await turn();
    assert.deepEqual(carried(), [['a'], ['b', 'c', 'd'], ['e']]);
  });

  it('fail for those whom they carry, and for nobody else', async () => {
    const [first, second] = [trips.ask('a'), trips.ask('b')];
    departed[0]!.fail(new Error('down'));
    await assert.rejects(first, /down/);
    await turn();
    departed[1]!.arrive(['B']);
    assert.equal(await second, 'B');
  });

  it('pass by one that hangs, with what is left of their time', async context => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    void trips.ask('a');
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
});
