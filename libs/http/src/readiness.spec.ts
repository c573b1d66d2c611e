import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHECK_EVERY_MS, CHECK_TIMEOUT_MS, Readiness, Remark, type Check } from './readiness.js';

function failing(error: Error): Check {
  return async () => {
    throw error;
  };
}

/** What the checks find. */
async function messages(readiness: Readiness): Promise<unknown[]> {
  return (await readiness.look()).map(({ name, status, message }) => [name, status, message]);
}

describe('the checks of readiness', () => {
  it('say what is wrong, of an error that is not made for operators nothing', async () => {
    const readiness = new Readiness();
    const made = Object.assign(new Error('the store is away'), { unavailable: true });
    readiness.register('fine', () => null);
    readiness.register('remarked', () => new Remark('it ended yesterday'));
    readiness.register('told', async () => 'the disk is nearly full');
    readiness.register('store', failing(made));
    readiness.register('other', failing(new Error('mongodb://user:secret@host refused')));
    assert.deepEqual(await messages(readiness), [
      ['fine', 'ok', null],
      ['remarked', 'ok', 'it ended yesterday'],
      ['told', 'failing', 'the disk is nearly full'],
      ['store', 'failing', 'the store is away'],
      ['other', 'failing', 'the check itself failed'],
    ]);
  });

  it('take their time at most, and are not begun again while they are under way', async context => {
    context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    const readiness = new Readiness();
    let begun = 0;
    let end = (): void => undefined;
    readiness.register('stuck', () => {
      begun += 1;
      return new Promise(resolve => (end = () => resolve(null)));
    });
    for (let look = 0; look < 3; look += 1) {
      const looked = messages(readiness);
      context.mock.timers.tick(CHECK_TIMEOUT_MS);
      assert.deepEqual(await looked, [['stuck', 'failing', `no answer within ${CHECK_TIMEOUT_MS} ms`]]);
    }
    assert.equal(begun, 1);
    const last = messages(readiness);
    end();
    assert.deepEqual(await last, [['stuck', 'ok', null]]);
    const next = readiness.look();
    end();
    await next;
    assert.equal(begun, 2);
  });

  it('say since when, which is when the status last changed', async context => {
    context.mock.timers.enable({ apis: ['Date'], now: 0 });
    const readiness = new Readiness();
    let message: string | null = 'one thing';
    readiness.register('changing', () => message);
    const since: unknown[] = [];
    for (const next of ['one thing', 'another thing', null, null, 'one thing']) {
      message = next;
      context.mock.timers.tick(1000);
      since.push(...(await readiness.look()).map(check => Date.parse(check.since)));
    }
    assert.deepEqual(since, [0, 0, 3000, 3000, 5000]);
  });

  it('say when something began to fail and to work again, whenever they are asked', async context => {
    context.mock.timers.enable({ apis: ['Date', 'setInterval', 'setTimeout'], now: 0 });
    const readiness = new Readiness();
    let message: string | null = null;
    readiness.register('first', () => message);
    readiness.register('second', async () => message);
    const pass = async (milliseconds: number): Promise<void> => {
      for (let passed = 0; passed < milliseconds; passed += CHECK_EVERY_MS) {
        context.mock.timers.tick(CHECK_EVERY_MS);
        await new Promise(setImmediate);
      }
    };
    await pass(10_000);
    message = 'the disk is full';
    await pass(60_000);
    const found = (await readiness.look()).map(({ status, since }) => [status, Date.parse(since)]);
    assert.deepEqual(found, [
      ['failing', 11_000],
      ['failing', 11_000],
    ]);
    message = null;
    await pass(60_000);
    assert.deepEqual(
      (await readiness.look()).map(({ status, since }) => [status, Date.parse(since)]),
      [
        ['ok', 71_000],
        ['ok', 71_000],
      ],
    );
  });

  it('are made no more once the service stops', async context => {
    context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    const readiness = new Readiness();
    let checks = 0;
    readiness.register('counted', () => {
      checks += 1;
      return null;
    });
    context.mock.timers.tick(CHECK_EVERY_MS);
    await new Promise(setImmediate);
    readiness.onModuleDestroy();
    context.mock.timers.tick(10 * CHECK_EVERY_MS);
    await new Promise(setImmediate);
    assert.equal(checks, 1);
  });

  it('take a store that stopped answering to fail since the check that it did not answer', async context => {
    context.mock.timers.enable({ apis: ['Date', 'setInterval', 'setTimeout'], now: 0 });
    const readiness = new Readiness();
    let answers = true;
    readiness.register('store', () => (answers ? null : new Promise(() => undefined)));
    context.mock.timers.tick(CHECK_EVERY_MS);
    await new Promise(setImmediate);
    answers = false;
    context.mock.timers.tick(CHECK_EVERY_MS);
    await new Promise(setImmediate);
    context.mock.timers.tick(CHECK_TIMEOUT_MS);
    await new Promise(setImmediate);
    const looked = readiness.look();
    context.mock.timers.tick(CHECK_TIMEOUT_MS);
    assert.equal(Date.parse((await looked)[0]!.since), 2 * CHECK_EVERY_MS);
  });
});
