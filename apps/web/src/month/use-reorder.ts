import { useEffect, useRef, useState, type RefObject } from 'react';
import { sentenceOf } from '../api/sentences.js';
import { sayFailed } from '../ui/toasts.js';
import { findItem } from './month-patches.js';
import { useShownMonth, type ShownMonth } from './month-context.js';
import { placeGroup, placeItem, stepGroup, stepItem } from './order.js';

/** A press becomes a drag after so many pixels, so that a click on a name stays a click. */
const DRAG_AFTER = 6;
/** So near to the edge of the window it scrolls. */
const SCROLL_EDGE = 70;
const SCROLL_STEP = 12;
const LONG_PRESS_MS = 350;

interface Drag {
  readonly kind: 'item' | 'group';
  readonly id: string;
  readonly element: HTMLElement;
  readonly startX: number;
  readonly startY: number;
  isMoving: boolean;
}

/** Where something would be put: before the item or group at an index. */
interface Target {
  readonly groupId: string;
  readonly index: number;
  readonly mark: HTMLElement;
  readonly isAfter: boolean;
}

/**
 * Reorders items and groups, by the mouse, by a long press and by Alt with the arrow keys.
 * @returns what a screen reader says
 */
export function useReorder(area: RefObject<HTMLElement | null>, isOff: boolean): string {
  const shown = useShownMonth();
  const [announcement, setAnnouncement] = useState('');
  // Listeners are added once; they use the month that is shown when they are called.
  const latest = useRef(shown);
  // A row that moves into another group is made again there, and would lose the focus.
  const refocused = useRef<string>(undefined);
  useEffect(() => {
    latest.current = shown;
    if (refocused.current === undefined || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`${refocused.current} .name-button`)?.focus();
    refocused.current = undefined;
  });
  useEffect(() => {
    const element = area.current;
    if (!element || isOff) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
      if (!event.altKey || step === undefined) return;
      const stepped = stepByKey(latest.current, event.target as HTMLElement, step);
      if (!stepped) return;
      event.preventDefault();
      refocused.current = stepped.row;
      setAnnouncement(stepped.said);
    };
    element.addEventListener('keydown', onKeyDown);
    const stop = followPointer(element, (drag, target) => drop(latest.current, drag, target));
    return () => {
      element.removeEventListener('keydown', onKeyDown);
      stop();
    };
  }, [area, isOff]);
  return announcement;
}

/** @returns what to say, and the row that keeps the focus */
function stepByKey(
  shown: ShownMonth,
  focused: HTMLElement,
  step: -1 | 1,
): { readonly said: string; readonly row: string } | undefined {
  const { month, commands } = shown;
  const direction = step === -1 ? 'up' : 'down';
  const itemId = focused.closest<HTMLElement>('[data-item]')?.dataset['item'];
  if (itemId !== undefined) {
    const name = findItem(month, itemId)?.name ?? '';
    const order = stepItem(month, itemId, step);
    const row = `[data-item="${itemId}"]`;
    if (!order) return { said: `${name} cannot move further ${direction}.`, row };
    send(commands.orderItems(order));
    const group = month.groups.find(({ id }) => id === order.groupId)?.name ?? '';
    const place = `place ${order.itemIds.indexOf(itemId) + 1} of ${order.itemIds.length} in ${group}`;
    return { said: `${name} moved ${direction}: ${place}.`, row };
  }
  const groupId = focused.closest<HTMLElement>('[data-group]')?.dataset['group'];
  if (groupId === undefined || !focused.closest('.group-head')) return undefined;
  const name = month.groups.find(({ id }) => id === groupId)?.name ?? '';
  const order = stepGroup(month, groupId, step);
  const row = `[data-group="${groupId}"] .group-head`;
  if (!order) return { said: `${name} cannot move further ${direction}.`, row };
  send(commands.orderGroups(order));
  return { said: `${name} moved ${direction}: place ${order.indexOf(groupId) + 1} of ${order.length}.`, row };
}

function drop({ month, commands }: ShownMonth, drag: Drag, target: Target): void {
  if (drag.kind === 'item') {
    const order = placeItem(month, drag.id, target.groupId, target.index);
    if (order) send(commands.orderItems(order));
  } else {
    const order = placeGroup(month, drag.id, target.index);
    if (order) send(commands.orderGroups(order));
  }
}

function send(sent: Promise<void>): void {
  sent.catch((error: unknown) => sayFailed(`The order stays as it was. ${sentenceOf(error)}`));
}

/** Follows the pointer from a press on a row until it is let go. */
function followPointer(area: HTMLElement, onDrop: (drag: Drag, target: Target) => void): () => void {
  let drag: Drag | undefined;
  let target: Target | undefined;
  let longPress: ReturnType<typeof setTimeout> | undefined;

  const end = (): void => {
    clearTimeout(longPress);
    drag?.element.classList.remove('is-dragged');
    document.documentElement.classList.remove('is-dragging');
    showMark(undefined);
    drag = target = undefined;
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', end);
    window.removeEventListener('keydown', onEscape, true);
    window.removeEventListener('touchmove', keepStill);
  };
  const begin = (): void => {
    if (!drag) return;
    drag.isMoving = true;
    drag.element.classList.add('is-dragged');
    document.documentElement.classList.add('is-dragging');
  };
  const onMove = (event: PointerEvent): void => {
    if (!drag) return;
    const distance = Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY);
    if (!drag.isMoving) {
      if (distance < DRAG_AFTER) return;
      // A finger that moves before the long press is over scrolls.
      if (event.pointerType === 'touch') return end();
      begin();
    }
    event.preventDefault();
    scrollNearEdge(event.clientY);
    target = targetAt(area, drag, event.clientX, event.clientY);
    showMark(target);
  };
  const onUp = (event: PointerEvent): void => {
    if (drag?.isMoving) {
      window.addEventListener('click', swallow, { capture: true, once: true });
      // Where no click follows, the next one counts again.
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
      if (target) onDrop(drag, target);
      event.preventDefault();
    }
    end();
  };
  const onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !drag?.isMoving) return;
    event.stopPropagation();
    end();
  };
  const keepStill = (event: TouchEvent): void => {
    if (drag?.isMoving) event.preventDefault();
  };
  const onDown = (event: PointerEvent): void => {
    const pressed = dragOf(event);
    if (!pressed || event.button !== 0) return;
    drag = pressed;
    if (event.pointerType === 'touch') longPress = setTimeout(begin, LONG_PRESS_MS);
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', onEscape, true);
    window.addEventListener('touchmove', keepStill, { passive: false });
  };
  area.addEventListener('pointerdown', onDown);
  return () => {
    area.removeEventListener('pointerdown', onDown);
    end();
  };
}

function swallow(event: MouseEvent): void {
  event.stopPropagation();
  event.preventDefault();
}

function dragOf(event: PointerEvent): Drag | undefined {
  const pressed = event.target as HTMLElement;
  if (pressed.closest('input, form, a')) return undefined;
  const handle = pressed.closest<HTMLElement>('[data-handle]');
  if (!handle) return undefined;
  const kind = handle.dataset['handle'] === 'item' ? 'item' : 'group';
  const element = handle.closest<HTMLElement>(`[data-${kind}]`);
  const id = element?.dataset[kind];
  if (!element || id === undefined) return undefined;
  return { kind, id, element, startX: event.clientX, startY: event.clientY, isMoving: false };
}

function targetAt(area: HTMLElement, drag: Drag, x: number, y: number): Target | undefined {
  const card = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-group]');
  if (!card || !area.contains(card)) return undefined;
  const groupId = card.dataset['group'] ?? '';
  if (drag.kind === 'group') {
    if (card.dataset['income'] === 'true') return undefined;
    const cards = [...area.querySelectorAll<HTMLElement>('[data-group][data-income="false"]')];
    const isAfter = isPast(card, y);
    return { groupId, index: cards.indexOf(card) + Number(isAfter), mark: card, isAfter };
  }
  const from = drag.element.closest<HTMLElement>('[data-group]');
  if (from?.dataset['income'] !== card.dataset['income']) return undefined;
  const rows = [...card.querySelectorAll<HTMLElement>('[data-item]')];
  const index = rows.findIndex(row => !isPast(row, y));
  const last = rows.at(-1);
  if (index !== -1) return { groupId, index, mark: rows[index]!, isAfter: false };
  return { groupId, index: rows.length, mark: last ?? card.querySelector('.items') ?? card, isAfter: true };
}

function isPast(element: HTMLElement, y: number): boolean {
  const { top, height } = element.getBoundingClientRect();
  return y > top + height / 2;
}

let marked: HTMLElement | undefined;

function showMark(target: Target | undefined): void {
  marked?.classList.remove('drop-before', 'drop-after');
  marked = target?.mark;
  marked?.classList.add(target?.isAfter ? 'drop-after' : 'drop-before');
}

function scrollNearEdge(y: number): void {
  if (y < SCROLL_EDGE) window.scrollBy(0, -SCROLL_STEP);
  else if (y > window.innerHeight - SCROLL_EDGE) window.scrollBy(0, SCROLL_STEP);
}
