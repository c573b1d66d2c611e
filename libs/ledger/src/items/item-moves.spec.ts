import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ItemIdentity } from '../household.js';
import { movedTo, movesToggled } from './item-moves.js';

const ITEM: ItemIdentity = {
  id: 'ITEM',
  name: 'Charity',
  kind: 'expense',
  months: 1,
  lastGroupId: 'Giving',
  originGroupId: 'Giving',
  moves: [],
  fund: null,
  fundTarget: null,
  terms: 0,
  favoriteRevision: -1,
  targetRevision: -1,
};

/** A move to a group, or the undoing of one of the steps before. */
type Step = { readonly by: string } & ({ readonly to: string } | { readonly undoes: string });

/** The groups in which the item counts after each step. */
function counting(...steps: readonly Step[]): readonly string[] {
  let item = ITEM;
  return steps.map(step => {
    item = 'to' in step ? movedTo(item, step.to, step.by) : movesToggled(item, step.undoes, step.by);
    return item.lastGroupId;
  });
}

describe('the group in which an item counts', () => {
  it('is the former one again for each move that is undone, the last one first', () => {
    const groups = counting(
      { by: '1', to: 'Savings' },
      { by: '2', to: 'Housing' },
      { by: '3', undoes: '2' },
      { by: '4', undoes: '1' },
    );
    assert.deepEqual(groups, ['Savings', 'Housing', 'Savings', 'Giving']);
  });

  it('is that of the latest move that is left, whichever is undone', () => {
    const groups = counting(
      { by: '1', to: 'Savings' },
      { by: '2', to: 'Housing' },
      { by: '3', undoes: '1' },
      { by: '4', undoes: '2' },
      { by: '5', undoes: '3' },
    );
    assert.deepEqual(groups, ['Savings', 'Housing', 'Housing', 'Giving', 'Savings']);
  });

  it('goes forth and back, whether the move is undone again or its redoing', () => {
    const groups = counting(
      { by: '1', to: 'Savings' },
      { by: '2', undoes: '1' },
      { by: '3', undoes: '2' },
      { by: '4', undoes: '1' },
      { by: '5', undoes: '4' },
      { by: '6', undoes: '3' },
    );
    assert.deepEqual(groups, ['Savings', 'Giving', 'Savings', 'Giving', 'Savings', 'Giving']);
  });

  it('is no other where it is laid out in the same group, or something else is undone', () => {
    assert.equal(movedTo(ITEM, 'Giving', '1'), ITEM);
    const moved = movedTo(ITEM, 'Savings', '1');
    assert.equal(movesToggled(moved, '0', '2'), moved);
  });

  it('is remembered for 32 moves, and for 64 undoings of each', () => {
    const names = Array.from({ length: 80 }, (_, at) => `${at}`);
    let item = names.reduce((moved, name) => movedTo(moved, name, name), ITEM);
    assert.equal(item.moves.length, 32);
    item = names.toReversed().reduce((back, name) => movesToggled(back, name, `undo ${name}`), item);
    assert.equal(item.lastGroupId, '47', 'the latest that is not remembered');
    for (const name of names) item = movesToggled(item, '70', name);
    assert.equal(item.moves.find(({ by }) => by === '70')!.toggledBy.length, 64);
  });
});
