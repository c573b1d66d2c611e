import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { closeAll, closeAllAfterFailure, type Closing } from './closing.js';

describe('closing all', () => {
  let closed: string[];
  const closing = (name: string): Closing => {
    return async () => void closed.push(name);
  };
  const failing = (name: string): Closing => {
    return () => {
      closed.push(name);
      throw new Error(`${name} cannot be closed`);
    };
  };

  it('goes on behind what cannot be closed, and throws everything that went wrong', async () => {
    closed = [];
    const all = [closing('projections'), failing('documents'), failing('log'), closing('lock')];
    await assert.rejects(closeAll(all), (error: unknown) => {
      assert.ok(error instanceof AggregateError);
      assert.match(error.errors.map(String).join(), /documents cannot be closed.*log cannot be closed/);
      return true;
    });
    assert.deepEqual(closed, ['projections', 'documents', 'log', 'lock']);
    await assert.rejects(closeAll([failing('documents')]), /^Error: documents cannot be closed$/);
    await closeAll([closing('queue')]);
  });

  it('logs after a failure what else goes wrong', async () => {
    closed = [];
    const lines: string[] = [];
    const logger = pino({}, { write: line => lines.push(line) });
    await closeAllAfterFailure([failing('documents'), closing('lock')], logger);
    assert.deepEqual(closed, ['documents', 'lock']);
    assert.match(lines.join(''), /"documents cannot be closed".*"msg":"closing failed"/);
  });
});
