import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { DocumentsUnavailable } from '#documents/documents';
import { Preparation } from './preparation.js';

const SILENT = pino({ level: 'silent' });
const WAIT_MS_MAX = 10_000;

describe(Preparation.name, () => {
  it('says in public what it waits for, but nothing that was not made for operators', async () => {
    const failures = [
      new DocumentsUnavailable('MongoDB is away.'),
      new Error('cannot index ann@example.org'),
    ];
    const preparation = new Preparation(() => Promise.reject(failures.shift()), SILENT);
    await preparation.begin();
    assert.equal(preparation.waitsFor(), 'MongoDB is away.');
    const deadline = performance.now() + WAIT_MS_MAX;
    while (preparation.waitsFor() === 'MongoDB is away.' && performance.now() < deadline) await pause(5);
    assert.equal(preparation.waitsFor(), 'failed; see the log');
    await preparation.stop();
  });
});
