import assert from 'node:assert/strict';
import { it } from 'node:test';
import { workplace } from '../streams.scenario.js';
import { changePointer, GENERATION_POINTER, readPointer } from './generation-pointer.js';

it('the pointer is changed by one of those that read the same, the first time and later', async () => {
  const { documents, close } = await workplace();
  try {
    await documents.ensure([GENERATION_POINTER]);
    const first = await readPointer(documents);
    const second = await changePointer(documents, first, { last: 2 });
    assert.equal(await changePointer(documents, first, { last: 3 }), null);
    assert.ok(await changePointer(documents, second!, { last: 4 }));
    assert.equal(await changePointer(documents, second!, { last: 5 }), null);
    assert.equal((await readPointer(documents)).last, 4);
  } finally {
    await close();
  }
});
