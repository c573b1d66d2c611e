import type { Position } from '@eventstore/db-client';
import type { RecordedEvent } from '../event-store/event-store.js';

/** The digits of the largest unsigned 64-bit number. */
const DIGITS = 20;
const POSITION = /^(\d{20})(\d{20})$/;

/** Commit and prepare position, each in fixed width. */
export function positionText({ commit, prepare }: Position): string {
  return positionOf(String(commit), String(prepare));
}

/** The same of their decimal digits. */
export function positionOf(commit: string, prepare: string): string {
  return commit.padStart(DIGITS, '0') + prepare.padStart(DIGITS, '0');
}

/** @throws RangeError */
export function parsePosition(text: string): Position {
  const [, commit, prepare] = POSITION.exec(text) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new RangeError(`${text} is no position of an EventStoreDB`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

/** The type of the event by which the server records that a stream was deleted for good, at the end of that stream. */
const TOMBSTONE = '$streamDeleted';

export function isTombstone({ type }: Pick<RecordedEvent, 'type'>): boolean {
  return type === TOMBSTONE;
}
