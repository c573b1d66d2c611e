import assert from 'node:assert/strict';
import { it } from 'node:test';
import { generationsOf, readModelsOf } from '#streams/read-models';
import { freshId, workplace } from '#streams/streams.scenario';
import { writeMixedHeads } from './mixed-heads.js';

it('the heads of a mixed set say what both its sets have, of the households of both', async () => {
  const place = await workplace();
  try {
    const [live, builds, becomes] = [generationsOf(1), generationsOf(2), generationsOf(3)];
    const [former, built, mixed] = [live, builds, becomes].map(set => readModelsOf(set).heads);
    await place.documents.ensure([built!, mixed!]);
    const [liveIsAhead, builtIsAhead, notBuilt, notLive] = [freshId(), freshId(), freshId(), freshId()];
    await place.documents.put(former!, [
      { key: liveIsAhead, revision: 5 },
      { key: builtIsAhead, revision: 3 },
      { key: notBuilt, revision: 7 },
    ]);
    await place.documents.put(built!, [
      { key: liveIsAhead, revision: 4 },
      { key: builtIsAhead, revision: 6 },
      { key: notLive, revision: 8 },
    ]);
    await writeMixedHeads(place.documents, live, { builds, becomes });
    assert.deepEqual(await place.documents.range(mixed!, { from: '0', before: '~', limit: 10 }), [
      { key: liveIsAhead, revision: 4 },
      { key: builtIsAhead, revision: 3 },
    ]);
  } finally {
    await place.close();
  }
});
