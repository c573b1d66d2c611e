import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reasonOf, REASON_LENGTH_MAX, retryDelayMs, RETRY_POLICY } from './job-queue.js';

describe('the reason of a failure', () => {
  it('is the sentence of an error, in one line of a bounded length', () => {
    assert.equal(reasonOf(new Error('the server\n  is busy')), 'Error: the server is busy');
    assert.equal(reasonOf(new Error('x'.repeat(1_000))).length, REASON_LENGTH_MAX);
    assert.equal(reasonOf('a text'), 'an unknown failure');
  });

  it('quotes no text that a user wrote', () => {
    const unparsable = (): unknown => JSON.parse('{"note":a note of a user');
    assert.throws(unparsable, error => reasonOf(error) === 'SyntaxError');
    const duplicate = Object.assign(new Error('dup key: { email: "ann@example.com" }'), {
      name: 'MongoServerError',
    });
    assert.equal(reasonOf(duplicate), 'MongoServerError');
  });
});

describe('the pause before another attempt', () => {
  const policy = { attemptsMax: 9, firstDelayMs: 100, delayMsMax: 1_000 };

  it('is doubled each time up to a bound, and drawn from its upper half', t => {
    const pauses = (random: number): number[] => {
      t.mock.method(Math, 'random', () => random);
      return [1, 2, 3, 4, 5, 6].map(attempt => retryDelayMs(policy, attempt));
    };
    assert.deepEqual(pauses(1), [100, 200, 400, 800, 1_000, 1_000]);
    assert.deepEqual(pauses(0.5), [75, 150, 300, 600, 750, 750]);
    assert.deepEqual(pauses(0), [50, 100, 200, 400, 500, 500]);
  });

  it('lets a mail server be away for an hour or more, by twelve attempts', t => {
    t.mock.method(Math, 'random', () => 0.5);
    const { attemptsMax } = RETRY_POLICY;
    const whole = Array.from({ length: attemptsMax - 1 }, (_, before) =>
      retryDelayMs(RETRY_POLICY, before + 1),
    ).reduce((sum, pause) => sum + pause);
    assert.equal(attemptsMax, 12);
    assert.ok(whole > 3_600_000 && whole < 2 * 3_600_000, String(whole));
  });
});
