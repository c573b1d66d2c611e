import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { loggedError } from './log.js';

const NOTE = 'a note of a user';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('an error in the log', () => {
  it('says where it was thrown, and quotes no text that does not parse', () => {
    const { type, message } = loggedError(thrownBy(() => JSON.parse(`{"note":"${NOTE}`)));
    assert.equal(type, 'SyntaxError');
    assert.ok(!message.includes(NOTE.slice(0, 6)), message);
    assert.match(message, /^SyntaxError\n\s+at .*\n\s+at .*log\.spec/);
  });

  it('has no other field of the error', () => {
    const error = Object.assign(new TypeError(NOTE), { keyValue: { email: NOTE } });
    assert.ok(!JSON.stringify(loggedError(error)).includes(NOTE));
  });

  it("keeps the sentences of stores that are away, and the system's own", () => {
    const away = new DocumentsUnavailable('MongoDB does not answer');
    assert.equal(loggedError(away).message, 'MongoDB does not answer');
    const missing = thrownBy(() => readFileSync('/nowhere/at/all'));
    assert.match(loggedError(missing).message, /^ENOENT: .*'\/nowhere\/at\/all'$/);
  });

  it('tells causes in the same way, a bounded number of them', () => {
    let error = new Error(NOTE);
    for (let depth = 0; depth < 20; depth += 1) error = new Error(NOTE, { cause: error });
    const logged = JSON.stringify(loggedError(error));
    assert.ok(!logged.includes(NOTE));
    assert.equal(logged.match(/"cause"/g)?.length, 5);
  });

  it('tells of what is no error only what it is', () => {
    assert.deepEqual(loggedError(NOTE), { type: 'string', message: 'a thrown string' });
  });
});
