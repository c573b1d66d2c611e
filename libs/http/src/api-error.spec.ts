import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryLater } from './api-error.js';

describe('an error of which the caller may try again', () => {
  for (const [seconds, told] of [
    [0, '1'],
    [0.001, '1'],
    [1, '1'],
    [1.001, '2'],
    [899.5, '900'],
  ] as const) {
    it(`says ${told} for ${seconds} seconds: whole ones, at least one, and never too early`, () => {
      assert.deepEqual(retryLater('too_many_attempts', seconds).headers, { 'Retry-After': told });
    });
  }
});
