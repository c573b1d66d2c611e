import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { until } from '../../../test/until.js';
import { Preparation } from './preparation.js';

const SILENT = pino({ level: 'silent' });

describe(Preparation.name, () => {
  it('says in public what it waits for, but nothing that was not made for operators', async () => {
    const failures = [
      new DocumentsUnavailable('MongoDB is away.'),
      new Error('cannot index ann@example.org'),
    ];
    const preparation = new Preparation(() => Promise.reject(failures.shift()), SILENT);
    await preparation.begin();
    assert.equal(preparation.waitsFor(), 'MongoDB is away.');
    await until(() => preparation.waitsFor() !== 'MongoDB is away.');
    assert.equal(preparation.waitsFor(), 'failed; see the log');
    await preparation.stop();
  });
});
