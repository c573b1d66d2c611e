import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StandingDocuments } from './standing-documents.js';

it('documents stand still that were seen at one revision for longer than a time, and all that while', () => {
  let time = 0;
  const standing = new StandingDocuments(100, () => time);
  const stale = (now: number, ...revisions: number[]): number[] => {
    time = now;
    const documents = revisions.map((revision, at) => ({ key: `${at}`, revision }));
    return [...standing.stale(documents)].map(({ revision }) => revision);
  };
  assert.deepEqual(stale(0, 1, 5), []);
  assert.deepEqual(stale(100, 1, 6), []);
  assert.deepEqual(stale(101, 1, 6), [1]);
  assert.deepEqual(stale(150, 1), [1]);
  assert.deepEqual(stale(500, 1, 6), [1], 'another was not watched meanwhile');
});
