import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
import { dropFormerSnapshots, snapshotCollections, Snapshots, STATE_VERSION } from './snapshots.js';
import { createMonth, envelope, HOUSEHOLD, workplace, type Workplace } from './streams.scenario.js';

describe('the snapshots of earlier versions', () => {
  it('are dropped, and the present ones stay', async context => {
    const directory = mkdtempSync(join(tmpdir(), 'snapshots-'));
    const { documents } = LedgerDatabase.open({ directory });
    context.after(async () => {
      await documents.close();
      rmSync(directory, { recursive: true });
    });
    const present = snapshotCollections('').parts;
    const former = snapshotCollections('', STATE_VERSION - 1).parts;
    await documents.ensure([present, former]);
    for (const collection of [present, former]) {
      await documents.put(collection, [
        { key: 'a', revision: 1, part: { month: '2026-01', live: 0, budget: null } },
      ]);
    }
    await dropFormerSnapshots(documents);
    await documents.ensure([former]);
    assert.equal(await documents.get(former, 'a'), null);
    assert.notEqual(await documents.get(present, 'a'), null);
  });
});

describe('snapshots', () => {
  for (const part of ['manifests', 'parts'] as const) {
    it(`are as good as none where the disk changed a text of their ${part}`, async context => {
      const place = await workplace();
      context.after(() => place.close());
      const { household } = await place.instance().execute(HOUSEHOLD, createMonth('2026-01'), envelope());
      const snapshots = new Snapshots(place.documents);
      await snapshots.save(HOUSEHOLD, household, null, null);
      assert.deepEqual((await snapshots.latest(HOUSEHOLD, 99))?.household, household);
      const database = new DatabaseSync(join(place.directory, LEDGER_FILE));
      database.exec(`UPDATE "documents:${Snapshots.shared[part].name}" SET body = '{"key":'`);
      database.close();
      assert.equal(await snapshots.latest(HOUSEHOLD, 99), null);
    });
  }

  it('are asked for again where the store is away', async () => {
    const place = await workplace();
    await place.close();
    await assert.rejects(new Snapshots(place.documents).latest(HOUSEHOLD, 99), DocumentsUnavailable);
  });
});

describe('the parts of snapshots', () => {
  let place: Workplace;
  before(async () => {
    place = await workplace();
  });
  after(() => place.close());

  it('are written anew where they changed, and found together as of each revision', async () => {
    const streams = place.instance();
    const { household: made } = await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
    const itemId = [...made.items.values()].find(({ kind }) => kind === 'expense')!.id;
    const open = { type: 'OpenFund', month: '2026-01', itemId, openingBalance: 500 } as const;
    let { household } = await streams.execute(HOUSEHOLD, open, envelope());
    const snapshots = new Snapshots(place.documents);
    let parts = await snapshots.save(HOUSEHOLD, household, null, null);
    const [month] = household.months;
    for (const change of [
      { favorites: [itemId] },
      { fundBalances: new Map() },
      { groups: new Map([...household.groups].slice(1)) },
      { items: new Map([...household.items].slice(1)) },
      { months: [{ ...month!, live: month!.live + 1 }] },
    ]) {
      const former = household;
      household = { ...former, ...change, revision: former.revision + 1 };
      parts = await snapshots.save(HOUSEHOLD, household, null, parts);
      for (const state of [former, household]) {
        assert.deepEqual((await snapshots.latest(HOUSEHOLD, state.revision))?.household, state);
      }
    }
    await place.documents.removePrefix(Snapshots.shared.parts, `${HOUSEHOLD}|2026-01|`);
    assert.equal(await snapshots.latest(HOUSEHOLD, household.revision), null);
  });
});
