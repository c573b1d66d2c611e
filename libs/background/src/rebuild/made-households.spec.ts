import assert from 'node:assert/strict';
import { it } from 'node:test';
import { digestOfHousehold } from '#streams/household-making';
import { createMonth, envelope, expense, freshId, MODELS, workplace } from '#streams/streams.scenario';
import { MadeHouseholds } from './made-households.js';

it('what was made of a household is vouched for at its revision, as long as the store holds just that', async () => {
  const place = await workplace();
  try {
    const id = freshId();
    const streams = place.instance();
    const { household } = await streams.execute(id, createMonth('2026-01'), envelope());
    const made = new MadeHouseholds(place.documents, MODELS);
    const { revision } = household;
    assert.equal(await made.isAsMade(id, revision), false, 'nothing was made here');
    made.remember(id, revision, await digestOfHousehold(place.documents, MODELS, id));
    assert.equal(await made.isAsMade(id, revision), true);
    assert.equal(await made.isAsMade(id, revision + 1), false);
    assert.equal(await made.isAsMade(freshId(), revision), false);
    await streams.execute(id, expense(freshId()), envelope());
    assert.equal(await made.isAsMade(id, revision), false, 'a command has written since');
  } finally {
    await place.close();
  }
});
