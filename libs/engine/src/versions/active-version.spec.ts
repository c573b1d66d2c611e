import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from '#storage/documents/documents';
import { workplace, type Workplace } from '../households/streams.scenario.js';
import { ACTIVE_VERSION, changeActiveVersion, MixedVersions, readActiveVersion } from './active-version.js';

describe('the active version', () => {
  let place: Workplace;
  before(async () => {
    place = await workplace();
    await place.documents.ensure([ACTIVE_VERSION]);
  });
  after(() => place.close());

  it('is changed by one of those that read the same, the first time and later', async () => {
    const { documents } = place;
    const first = await readActiveVersion(documents);
    const second = await changeActiveVersion(documents, first, { last: 2 });
    assert.equal(await changeActiveVersion(documents, first, { last: 3 }), null);
    assert.ok(await changeActiveVersion(documents, second!, { last: 4 }));
    assert.equal(await changeActiveVersion(documents, second!, { last: 5 }), null);
    assert.equal((await readActiveVersion(documents)).last, 4);
  });

  it('is taken over from an earlier checkout, whose former read models are dropped', async () => {
    const { documents } = place;
    const set = (version: number) => ({ heads: version, months: version });
    const former = {
      key: 'pointer',
      revision: 100,
      live: set(5),
      rebuild: null as object | null,
      previous: { generations: set(4) },
      inspected: null,
      last: 6,
      dropping: ['months_g6'],
    };
    const store = (document: Document) => documents.put<Document>(ACTIVE_VERSION, [document]);
    await store(former);
    const { active, beside, rebuild, last, dropping } = await readActiveVersion(documents);
    assert.deepEqual([active, beside, rebuild, last], [5, null, null, 6]);
    assert.deepEqual(
      ['months_g6', 'months_g4', 'months_g5'].map(name => dropping.includes(name)),
      [true, true, false],
    );
    await store({ ...former, revision: 101, live: { heads: 6, months: 5 } } as Document);
    await assert.rejects(readActiveVersion(documents), MixedVersions);
    await store({ ...former, revision: 102, rebuild: {} } as Document);
    await assert.rejects(readActiveVersion(documents), MixedVersions);
  });
});
