import type { ItemIdentity, Move } from '../household.js';
import type { Ulid } from '../values.js';

/** Older moves are forgotten: each of so many can be undone, in any order, as if it had never been. */
const MOVES_MAX = 32;
/** Older undoings of a move are forgotten: that one of them is undone no longer counts for the item. */
const TOGGLES_MAX = 64;

/** An item that an event lays out in a group: from now on it counts there. */
export function movedTo(item: ItemIdentity, groupId: Ulid, by: string): ItemIdentity {
  if (item.lastGroupId === groupId) return item;
  const [oldest, ...later] = [...item.moves, { groupId, by, toggledBy: [], isUndone: false }];
  if (later.length < MOVES_MAX) return { ...item, lastGroupId: groupId, moves: [oldest, ...later] };
  const originGroupId = oldest.isUndone ? item.originGroupId : oldest.groupId;
  return { ...item, lastGroupId: groupId, originGroupId, moves: later };
}

/**
 * An item after an undoing: where it undoes one of the moves, the item counts where it would without it; where it
 * undoes such an undoing, the move counts again. The very item where none of its moves is meant.
 */
export function movesToggled(item: ItemIdentity, undoes: string, by: string): ItemIdentity {
  const isMeant = (move: Move): boolean => move.by === undoes || move.toggledBy.includes(undoes);
  if (!item.moves.some(isMeant)) return item;
  const moves = item.moves.map(move => (isMeant(move) ? toggled(move, by) : move));
  const lastGroupId = moves.findLast(({ isUndone }) => !isUndone)?.groupId ?? item.originGroupId;
  return { ...item, lastGroupId, moves };
}

function toggled(move: Move, by: string): Move {
  const toggledBy = [...move.toggledBy, by].slice(-TOGGLES_MAX);
  return { ...move, toggledBy, isUndone: !move.isUndone };
}
