import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProjectionStatus } from '#engine/projector/projection-host';
import { troubleOf } from './readiness-checks.js';

const WELL: ProjectionStatus = {
  caughtUp: true,
  position: null,
  failing: [],
  waitingFor: null,
};

describe('what keeps projections from being ready', () => {
  const failing = Array.from({ length: 7 }, (_, at) => {
    return { householdId: `H${at}`, error: 'no such event', since: '2026-01-15T12:00:00.000Z' };
  });

  it('is nothing once they are caught up', () => {
    assert.equal(troubleOf(WELL), null);
    assert.equal(troubleOf({ ...WELL, caughtUp: false }), 'catching up with the event log');
    assert.equal(troubleOf({ ...WELL, waitingFor: 'the disk is full' }), 'waiting: the disk is full');
  });

  it('counts the households that stopped and names the first', () => {
    assert.match(
      troubleOf({ ...WELL, failing })!,
      /^7 household\(s\) cannot be projected: H0 \(no such event\); .*; H4 /,
    );
  });
});
