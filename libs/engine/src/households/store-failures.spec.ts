import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DamagedDocument, DocumentsUnavailable } from '#storage/documents/documents';
import { BrokenHistory } from '#ledger/draft';
import { UnknownEvent } from '#ledger/event-codec';
import { LogEndsEarly, isStoreDown, loggedOf, SEE_LOG, toldOf } from './store-failures.js';

/** What the work throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

describe('what is told of a failure', () => {
  const forOperators: readonly Error[] = [
    new DocumentsUnavailable('the disk is full'),
    new UnknownEvent('E1', 'ItemSung', 3),
    new BrokenHistory('the history refers to item I1, which it never created'),
    new LogEndsEarly(),
    new DamagedDocument('months', 'a key'),
  ];

  it('is the sentence that was made for operators', () => {
    for (const error of forOperators) {
      assert.equal(toldOf(error), error.message);
      assert.equal(loggedOf(error), error.message);
    }
  });

  it('is of a store that is away, but not of what keeps one household alone from being served', () => {
    assert.equal(isStoreDown(new DocumentsUnavailable('the disk is full')), true);
    assert.equal(isStoreDown(new LogEndsEarly()), false);
    assert.equal(isStoreDown(new DamagedDocument('months', 'a key')), false);
  });

  it('is never what a user wrote', () => {
    const damaged = thrownBy(() => JSON.parse('{"merchant":\nDr. Miller}'));
    assert.match((damaged as Error).message, /Miller/);
    const other = Object.assign(new Error('Dr. Miller', { cause: damaged }), { code: 'ERR_X' });
    for (const error of [damaged, other, 'Dr. Miller']) {
      assert.equal(toldOf(error), SEE_LOG);
      assert.doesNotMatch(loggedOf(error), /Miller/);
    }
  });

  it('is for the log where it was thrown, and what the system said', () => {
    assert.match(loggedOf(thrownBy(() => JSON.parse('{x'))), /^SyntaxError\n {4}at JSON\.parse/);
    assert.match(loggedOf(new RangeError()), /^RangeError\n {4}at .*store-failures\.spec/);
    const missing = thrownBy(() => readFileSync('/no/such/file'));
    assert.equal(toldOf(missing), SEE_LOG);
    assert.match(loggedOf(missing), /^ENOENT: .*'\/no\/such\/file'$/);
  });
});
