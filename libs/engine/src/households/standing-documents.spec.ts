import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StandingDocuments } from './standing-documents.js';

it('documents stand still that were seen at one revision for longer than a time, and all that while', () => {
  const standing = new StandingDocuments(100);
  const stale = (now: number, ...revisions: number[]): number[] =>
    [
      ...standing.stale(
        revisions.map((revision, at) => ({ key: `${at}`, revision })),
        now,
      ),
    ].map(({ revision }) => revision);
  assert.deepEqual(stale(0, 1, 5), []);
  assert.deepEqual(stale(100, 1, 6), []);
  assert.deepEqual(stale(101, 1, 6), [1]);
  assert.deepEqual(stale(150, 1), [1]);
  assert.deepEqual(stale(500, 1, 6), [1], 'another was not watched meanwhile');
});
