import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reasonOf, REASON_LENGTH_MAX } from './job-queue.js';

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
