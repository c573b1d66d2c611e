import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EventStoreUnavailable } from '../event-store/event-store.js';
import type { EventStoreDbConnection } from './connection.js';
import { NoAnswer } from '#concurrency/within';
import { Availability, Retry, TIMINGS } from './retry.js';

const { attemptMs, retryBudgetMs, silenceMs } = TIMINGS;
const REFUSED = new Error('connect ECONNREFUSED');

/** A server as the calls of a process have seen it, by a clock that is set by hand. */
function seen(t: TestContext) {
  const clock = { now: 1_000 };
  t.mock.method(performance, 'now', () => clock.now);
  const leave = t.mock.fn();
  const connection = { leave } as unknown as EventStoreDbConnection;
  return { clock, leave, availability: new Availability(connection, 'node:2113', TIMINGS) };
}

describe('a server that fails', () => {
  it('is waited for until it was away for as long as a call is tried, and again once it has answered', t => {
    const { clock, availability } = seen(t);
    availability.failed(REFUSED);
    clock.now += retryBudgetMs;
    availability.failed(REFUSED);
    assert.equal(availability.budgetMs(), retryBudgetMs);
    clock.now += 1;
    assert.equal(availability.budgetMs(), 0);
    availability.answered();
    assert.equal(availability.budgetMs(), retryBudgetMs);
  });

  it('is left where it is silent, and only then', t => {
    const { leave, availability } = seen(t);
    availability.failed(REFUSED);
    assert.equal(leave.mock.callCount(), 0);
    availability.failed(new NoAnswer());
    assert.equal(leave.mock.callCount(), 1);
  });

  it('is heard for no longer than a try while a stream is read', t => {
    const { availability } = seen(t);
    assert.equal(availability.silenceMs(), silenceMs);
    availability.failed(REFUSED);
    assert.equal(availability.silenceMs(), attemptMs);
  });
});

describe('the tries of a call', () => {
  it('take what is left of its time, and a whole try where nothing is', t => {
    const { clock, availability } = seen(t);
    const retry = new Retry(availability);
    assert.equal(retry.attemptMs(), attemptMs);
    clock.now += retryBudgetMs - 10;
    assert.equal(retry.attemptMs(), 10);
    clock.now += 10;
    assert.equal(retry.attemptMs(), attemptMs);
  });

  it('end with what says more than that nothing was heard', async t => {
    const { clock, availability } = seen(t);
    const retry = new Retry(availability);
    await retry.next(REFUSED);
    clock.now += retryBudgetMs;
    await assert.rejects(retry.next(new NoAnswer()), /refuses connections/);
  });

  it('end at once where another one is useless', async t => {
    const { availability } = seen(t);
    const closed = new EventStoreUnavailable('The event store is being closed.');
    await assert.rejects(new Retry(availability).next(closed), closed);
    const refused = new Error('self-signed certificate');
    await assert.rejects(new Retry(availability).next(refused), /certificate that is not trusted/);
    assert.equal(availability.silenceMs(), silenceMs, 'nothing says that it does not answer');
  });
});
