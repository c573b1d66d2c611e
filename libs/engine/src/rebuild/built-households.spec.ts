import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { envelope, expense, freshId } from '../households/streams.scenario.js';
import { doubled } from '../projector/failing.scenario.js';
import { building, endOf, households, rebuildWorkplace } from './replay.scenario.js';

it('what was made of a household is vouched for at its revision, as long as the store holds just that', async () => {
  const place = await rebuildWorkplace();
  try {
    const [id] = (await households(place, 1)) as [string];
    const { builder, replay } = await building(place, 2);
    const made = replay();
    assert.equal(await made.isAsBuilt(id, 0), false, 'nothing was made here');
    await made.upTo(await endOf(place));
    assert.equal(await made.isAsBuilt(id, 0), true);
    assert.equal(await made.isAsBuilt(id, 1), false);
    assert.equal(await made.isAsBuilt(id, -1), false);
    assert.equal(await made.isAsBuilt(freshId(), 0), false);
    await builder.execute(id, expense(freshId()), envelope());
    assert.equal(await made.isAsBuilt(id, 0), false, 'a command has written since');
  } finally {
    await place.close();
  }
});

it('what cannot be read is not vouched for, and tells of a store that is down', async () => {
  const place = await rebuildWorkplace();
  try {
    const [id] = (await households(place, 1)) as [string];
    let failure: Error | null = null;
    const documents = doubled(place.documents, (_method, real) =>
      failure ? Promise.reject(failure) : real(),
    );
    const made = (await building({ ...place, documents }, 2)).replay();
    await made.upTo(await endOf(place));
    assert.equal(await made.isAsBuilt(id, 0), true);
    failure = new SyntaxError('a damaged document');
    assert.equal(await made.isAsBuilt(id, 0), false);
    failure = new DocumentsUnavailable('down');
    await assert.rejects(made.isAsBuilt(id, 0), DocumentsUnavailable);
  } finally {
    await place.close();
  }
});
