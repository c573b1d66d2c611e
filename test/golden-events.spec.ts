// Every shape in which an event was ever stored, kept for ever. The files in golden/events are written once:
//
//   <Type>.v<N>.json   one event of this type as the log holds it, in schema version N
//   history.json       a household's stream, from its first event on
//   meaning.json       what that history means: every figure, balance and transaction
//   manifest.json      the SHA-256 of each of these files
//
// How a shape changes: add an upcaster from the version before to the type's declaration, which raises its version;
// add <Type>.v<N+1>.json with the event of <Type>.v<N>.json as it is written now; add its line to manifest.json
// (`sha256sum test/golden/events/<Type>.v<N+1>.json`). A new type begins with <Type>.v1.json. A line that stands
// in the manifest is never changed or removed: logs out there hold events like that one.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { decodeEvent, UnknownEvent, type StoredEvent } from '#ledger/event-codec';
import { EVENTS, versionOf, type LedgerEventType } from '#ledger/events';
import { hashOf } from '#engine/households/household-stream';
import { meaningOf } from './golden-history.js';

/** Compiled tests stand in dist/test, the golden files beside their sources. */
const GOLDEN = new URL('../../test/golden/events/', import.meta.url);
const TYPES = Object.keys(EVENTS) as LedgerEventType[];

interface History {
  readonly stream: string;
  readonly events: readonly StoredEvent[];
}

function bytesOf(file: string): Buffer {
  return readFileSync(new URL(file, GOLDEN));
}

function read(file: string): unknown {
  return JSON.parse(bytesOf(file).toString('utf8'));
}

function versionsOf(type: LedgerEventType): number[] {
  return Array.from({ length: versionOf(type) }, (_, i) => i + 1);
}

function golden(type: LedgerEventType, version: number): StoredEvent {
  return read(`${type}.v${version}.json`) as StoredEvent;
}

describe('the golden files', () => {
  it('are there for every event in each of its schema versions, and for nothing else', () => {
    const expected = TYPES.flatMap(type => versionsOf(type).map(version => `${type}.v${version}.json`));
    const files = readdirSync(GOLDEN).sort();
    assert.deepEqual(files, [...expected, 'history.json', 'manifest.json', 'meaning.json'].sort());
  });

  it('are as they were first written', () => {
    const manifest = read('manifest.json') as Readonly<Record<string, string>>;
    const files = readdirSync(GOLDEN).filter(file => file !== 'manifest.json');
    const sums = files.map(file => [file, createHash('sha256').update(bytesOf(file)).digest('hex')]);
    assert.deepEqual(Object.fromEntries(sums), manifest, 'a golden file was added, edited or removed');
  });
});

describe('a golden event', () => {
  for (const type of TYPES) {
    it(`${type} is understood in every schema version, and means the same in each`, () => {
      const newest = golden(type, versionOf(type));
      for (const version of versionsOf(type)) {
        const stored = golden(type, version);
        const metadata = stored.metadata as { schemaVersion: number; at: string; actor: { userId: string } };
        assert.deepEqual([stored.type, metadata.schemaVersion], [type, version]);
        assert.deepEqual(decodeEvent(stored), {
          id: stored.id,
          revision: stored.revision,
          type,
          data: newest.data,
          at: metadata.at,
          by: metadata.actor.userId,
          metadata,
        });
      }
    });
  }

  it('of a later version, of none or of an unknown type is not understood', () => {
    const stored = golden('ItemPlanned', 1);
    const unknown: readonly StoredEvent[] = [
      { ...stored, metadata: { ...stored.metadata, schemaVersion: versionOf('ItemPlanned') + 1 } },
      { ...stored, metadata: { ...stored.metadata, schemaVersion: 0 } },
      { ...stored, metadata: { ...stored.metadata, schemaVersion: 0.5 } },
      { ...stored, metadata: { ...stored.metadata, schemaVersion: '1' } },
      { ...stored, metadata: { ...stored.metadata, schemaVersion: undefined } },
      { ...stored, type: 'ItemPainted' },
      { ...stored, type: 'constructor' },
      { ...stored, type: '__proto__' },
    ];
    for (const event of unknown) assert.throws(() => decodeEvent(event), UnknownEvent);
  });
});

describe('the golden history', () => {
  const { stream, events } = read('history.json') as History;

  it('tells of every event in its first version, but for those that only an undoing makes', () => {
    const undoing = ['MonthRemoved', 'LayoutPutBack', 'GroupPutBack', 'ItemPutBack', 'FundReopened'];
    undoing.push('AdjustmentRemoved', 'AdjustmentPutBack', 'CommandUndone');
    for (const type of TYPES.filter(name => !undoing.includes(name))) {
      const event = golden(type, 1);
      assert.deepEqual(events[event.revision], event, type);
    }
  });

  it('is one unbroken chain of hashes', () => {
    events.forEach((event, i) => {
      assert.equal(event.revision, i);
      const { previousHash } = event.metadata as { previousHash: string | null };
      assert.equal(previousHash, i === 0 ? null : hashOf(stream, events[i - 1]!), `revision ${i}`);
    });
  });

  it('has the same hashes where the texts of events have been made already', () => {
    for (const event of events) {
      const texts = { data: JSON.stringify(event.data), metadata: JSON.stringify(event.metadata) };
      assert.equal(hashOf(stream, event, texts), hashOf(stream, event), `revision ${event.revision}`);
    }
  });

  it('means what it meant when it was written', () => {
    const meaning: unknown = JSON.parse(JSON.stringify(meaningOf(events.map(decodeEvent))));
    assert.deepEqual(meaning, read('meaning.json'));
  });
});
