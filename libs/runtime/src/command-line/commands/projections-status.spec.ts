import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lagOf, linesOfEnded, linesOfRebuild, place } from './projections-status.js';

describe('a position in the log', () => {
  it('is one number of embedded stores, and the commit and prepare position of EventStoreDB', () => {
    assert.equal(place(null), 'the beginning');
    assert.equal(place('0'.repeat(20)), '0');
    assert.equal(place('42'.padStart(20, '0')), '42');
    assert.equal(place('120'.padStart(20, '0') + '99'.padStart(20, '0')), '120/99');
  });
});

describe('the lag of the projections', () => {
  it('is how much waits, and how long as far as that is known', () => {
    assert.equal(lagOf({ lagEvents: 0, lagSeconds: 0 }), 'none');
    assert.equal(lagOf({ lagEvents: 1, lagSeconds: 4 }), '1 event, 4 s');
    assert.equal(lagOf({ lagEvents: 2, lagSeconds: null }), '2 events, unknown');
  });
});

describe('the status of a rebuild', () => {
  const rebuild = { version: 8, phase: 'verifying' } as const;
  const rebuilt = { state: 'running', events: 12_000, verified: 1, message: null } as const;

  it('tells how far it is', () => {
    assert.deepEqual(linesOfRebuild(rebuild, rebuilt), [
      'Rebuilding     version 8, verifying: 12,000 events applied, 1 household verified',
    ]);
    assert.deepEqual(linesOfRebuild(rebuild, null), [
      'Rebuilding     version 8, verifying: 0 events applied, 0 households verified',
    ]);
  });

  it('tells what it waits for, and why it stopped', () => {
    const waiting = { ...rebuilt, message: 'waiting for api-2 to confirm' };
    assert.equal(linesOfRebuild(rebuild, waiting)[1], '               waiting for api-2 to confirm');
    const stopped = { ...rebuilt, state: 'failed', message: 'The disk is full.' } as const;
    assert.equal(linesOfRebuild(rebuild, stopped)[1], 'Stopped        The disk is full.');
  });

  it('tells why the last rebuild failed, as long as no other has ended', () => {
    const failure = 'It was cancelled.';
    assert.deepEqual(linesOfEnded({ id: 'one', failure }), ['Last rebuild   failed: It was cancelled.']);
    assert.deepEqual(linesOfEnded({ id: 'two', failure: null }), []);
    assert.deepEqual(linesOfEnded(null), []);
  });
});
