import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { ConfigurationError, parseConfiguration } from './configuration.js';
import { openForReading } from './stores-for-reading.js';

describe('stores for reading', () => {
  const nowhere = {
    DATA_DIR: '/a-directory-that-is-not-there',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
  };

  it('need a data directory only where events or documents are in it', async () => {
    await assert.rejects(openForReading(parseConfiguration(nowhere)), ConfigurationError);
    const servers = parseConfiguration({ ...nowhere, MONGODB_URL: 'mongodb://127.0.0.1:1/ledger' });
    await assert.rejects(openForReading(servers), DocumentsUnavailable);
  });
});
