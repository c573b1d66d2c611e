import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeptPages, type KeptPage } from './kept-pages.js';

const page = (body: string): KeptPage => ({ body, users: [], names: new Map() });

describe('kept pages', () => {
  it('are found until their household changes', () => {
    const pages = new KeptPages();
    pages.keep('A', pages.shelf('A'), 'first', page('one'));
    pages.keep('B', pages.shelf('B'), 'first', page('two'));
    pages.forget('A');
    assert.equal(pages.shelf('A').get('first'), undefined);
    assert.equal(pages.shelf('B').get('first')?.body, 'two');
  });

  it('are not kept where the household changed while they were made', () => {
    const pages = new KeptPages();
    const shelf = pages.shelf('A');
    pages.forget('A');
    pages.keep('A', shelf, 'first', page('stale'));
    assert.equal(pages.shelf('A').get('first'), undefined);
  });

  it('of the household used longest ago are given up when all together are too long', () => {
    const pages = new KeptPages(10);
    for (const household of ['A', 'B']) pages.keep(household, pages.shelf(household), 'first', page('12345'));
    pages.shelf('A');
    pages.keep('C', pages.shelf('C'), 'first', page('12345'));
    const kept = ['A', 'B', 'C'].filter(household => pages.shelf(household).has('first'));
    assert.deepEqual(kept, ['A', 'C']);
  });

  it('are none where there is no room, as beside other processes that write', () => {
    const pages = new KeptPages(0);
    pages.keep('A', pages.shelf('A'), 'first', page('one'));
    assert.equal(pages.shelf('A').get('first'), undefined);
  });
});
