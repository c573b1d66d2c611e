import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from './within.js';

const FOR_EVER_MS = 600_000;

it('what comes in time is passed on, and keeps no timer', async () => {
  const late = () => assert.fail('it came in time');
  assert.equal(await within(pause(1, 'done'), FOR_EVER_MS, late), 'done');
  await assert.rejects(within(Promise.reject(new Error('failed')), FOR_EVER_MS, late), /failed/);
});

it('what does not come in time has something else in its place, and what becomes of it is ignored', async () => {
  let fail!: (error: Error) => void;
  const never = new Promise<string>((_, reject) => (fail = reject));
  assert.equal(await within(never, 1, () => 'late'), 'late');
  const tooLate = () => {
    throw new RangeError('too late');
  };
  await assert.rejects(within(never, 1, tooLate), RangeError);
  fail(new Error('long after'));
  await pause(1);
});
