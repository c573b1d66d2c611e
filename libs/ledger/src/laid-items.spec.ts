import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DraftLaidItems, type LaidItem } from './household.js';

function laid(planned: number): LaidItem {
  return { planned, note: null, adjustments: [], activity: 0, carryIn: null };
}

const [ONE, TWO, THREE] = [laid(1), laid(2), laid(3)];

const ids = fc.constantFrom('A', 'B', 'C', 'D', 'E');
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('set'), id: ids, planned: fc.nat() }),
    fc.record({ kind: fc.constant('delete'), id: ids }),
    fc.record({ kind: fc.constant('replace'), ids: fc.uniqueArray(ids) }),
    fc.record({ kind: fc.constant('copy') }),
  ),
);

function assertHolds(items: DraftLaidItems, expected: ReadonlyMap<string, LaidItem>): void {
  assert.deepEqual([...items], [...expected]);
  assert.deepEqual([...items.keys()], [...expected.keys()]);
  assert.deepEqual([...items.values()], [...expected.values()]);
  assert.equal(items.size, expected.size);
  for (const id of ['A', 'B', 'C', 'D', 'E', 'F']) {
    assert.equal(items.get(id), expected.get(id));
    assert.equal(items.has(id), expected.has(id));
  }
}

describe('the items of a month', () => {
  it('hold what a map would, in its order, and no copy changes with another', () => {
    fc.assert(
      fc.property(steps, all => {
        let items = DraftLaidItems.of();
        let expected = new Map<string, LaidItem>();
        const earlier: [DraftLaidItems, Map<string, LaidItem>][] = [];
        for (const step of all) {
          if ('planned' in step) {
            const item = laid(step.planned);
            items.set(step.id, item);
            expected.set(step.id, item);
          } else if ('id' in step) {
            items.delete(step.id);
            expected.delete(step.id);
          } else if ('ids' in step) {
            const entries = step.ids.map((id, at) => [id, laid(at)] as const);
            items.replace(entries);
            expected = new Map(entries);
          } else {
            earlier.push([items, expected]);
            items = items.copy();
            expected = new Map(expected);
          }
        }
        for (const [each, was] of [...earlier, [items, expected] as const]) assertHolds(each, was);
      }),
    );
  });

  it('say which of them have changed since a version with the same ones', () => {
    const before = DraftLaidItems.of([
      ['A', ONE],
      ['B', TWO],
    ]);
    const after = before.copy();
    assert.deepEqual(after.changedSince(before), []);
    after.set('B', THREE);
    assert.deepEqual(after.changedSince(before), ['B']);
    assert.deepEqual(before.changedSince(after), ['B']);
  });

  it('cannot say so where there may be others', () => {
    const before = DraftLaidItems.of([['A', ONE]]);
    const more = before.copy();
    more.set('B', TWO);
    const fewer = before.copy();
    fewer.delete('A');
    const replaced = before.copy();
    replaced.replace([['A', ONE]]);
    for (const after of [more, fewer, replaced, DraftLaidItems.of([['A', ONE]])]) {
      assert.equal(after.changedSince(before), null);
    }
  });
});
