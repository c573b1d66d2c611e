import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RebuildRefused } from '#engine/rebuild/rebuild-work';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { EventStoreUnavailable } from '#storage/event-store/event-store';
import { JobsUnavailable } from '#storage/jobs/job-queue';
import { BrokenHistory } from '#ledger/draft';
import { UnknownEvent } from '#ledger/event-codec';
import { UnknownIdentity } from '#projections/month-document';
import { NotDoneByServer } from '../operator-socket.js';
import { ConfigurationError } from '../configuration.js';
import { DatabaseRefused, SqliteUnavailable } from '#storage/sqlite/unavailable';
import { CommandFailed, sentenceFor } from './failures.js';
import { ReadModelsUnconfirmed } from '#engine/versions/live-streams';

const SENTENCE = 'This is what the operator reads.';

describe('the sentence for the operator', () => {
  const madeForOperators = [
    CommandFailed,
    ConfigurationError,
    SqliteUnavailable,
    EventStoreUnavailable,
    DocumentsUnavailable,
    JobsUnavailable,
    ReadModelsUnconfirmed,
    BrokenHistory,
    UnknownIdentity,
    RebuildRefused,
    NotDoneByServer,
  ];
  for (const kind of madeForOperators) {
    it(`is the message of ${kind.name}`, () => {
      assert.equal(sentenceFor(new kind(SENTENCE)), SENTENCE);
    });
  }

  it('is the message of errors that make it themselves', () => {
    for (const error of [
      new DatabaseRefused('events.db', 'it is empty'),
      new UnknownEvent('id', 'Type', 9),
    ]) {
      assert.equal(sentenceFor(error), error.message);
    }
  });

  it('is made of what the system says, with the file', () => {
    const refused = Object.assign(new Error('EACCES: …'), { syscall: 'open', code: 'EACCES', path: '/a' });
    assert.equal(sentenceFor(refused), '/a: system error EACCES');
    assert.equal(sentenceFor(Object.assign(refused, { code: 'ENOSPC' })), '/a: the disk is full');
  });

  it('is none for a fault of the program', () => {
    assert.equal(sentenceFor(new TypeError('x is not a function')), null);
    assert.equal(sentenceFor('thrown'), null);
  });
});
