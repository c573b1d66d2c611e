import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DocumentsUnavailable, type Documents } from '#storage/documents/documents';
import { digestOfHousehold } from '../households/bulk-build.js';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  MODELS,
  workplace,
} from '../households/streams.scenario.js';
import { doubled } from '../projector/failing.scenario.js';
import { BuiltHouseholds } from './replay.js';

it('what was made of a household is vouched for at its revision, as long as the store holds just that', async () => {
  const place = await workplace();
  try {
    const id = freshId();
    const streams = place.instance();
    const { household } = await streams.execute(id, createMonth('2026-01'), envelope());
    const made = new BuiltHouseholds(place.documents, MODELS);
    const { revision } = household;
    assert.equal(await made.isAsBuilt(id, revision), false, 'nothing was made here');
    made.remember(id, revision, await digestOfHousehold(place.documents, MODELS, id));
    assert.equal(await made.isAsBuilt(id, revision), true);
    assert.equal(await made.isAsBuilt(id, revision + 1), false);
    assert.equal(await made.isAsBuilt(id, revision - 1), false);
    assert.equal(await made.isAsBuilt(freshId(), revision), false);
    await streams.execute(id, expense(freshId()), envelope());
    assert.equal(await made.isAsBuilt(id, revision), false, 'a command has written since');
  } finally {
    await place.close();
  }
});

it('what cannot be read is not vouched for, and tells of a store that is down', async () => {
  const place = await workplace();
  try {
    const id = freshId();
    const { household } = await place.instance().execute(id, createMonth('2026-01'), envelope());
    const { revision } = household;
    const digest = await digestOfHousehold(place.documents, MODELS, id);
    const failing = (how: Error): Documents => doubled(place.documents, () => Promise.reject(how));
    const asMade = (documents: Documents): Promise<boolean> => {
      const made = new BuiltHouseholds(documents, MODELS);
      made.remember(id, revision, digest);
      return made.isAsBuilt(id, revision);
    };
    assert.equal(await asMade(place.documents), true);
    assert.equal(await asMade(failing(new SyntaxError('a damaged document'))), false);
    await assert.rejects(asMade(failing(new DocumentsUnavailable('down'))), DocumentsUnavailable);
  } finally {
    await place.close();
  }
});
