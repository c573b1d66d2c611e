import { useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Item } from '../api/types.js';
import { sentenceOf } from '../api/sentences.js';
import { sayFailed } from '../ui/toasts.js';
import { useShownMonth } from './month-context.js';

const FIELD = 'input[data-planned]';

interface Draft {
  readonly text: string;
  /** What was planned when the person began to type. */
  readonly from: number;
}

/** What is planned for an item, edited in place: Enter saves and goes on to the next, Escape takes back. */
export function PlannedField({ item }: { readonly item: Item }) {
  const { money, commands } = useShownMonth();
  // While it is typed in, the text is the person's; otherwise it is the figure.
  const [draft, show] = useState<Draft | null>(null);
  // Leaving by Enter blurs the field before it is rendered again: it must not be saved twice.
  const latest = useRef<Draft | null>(null);
  const setDraft = (next: Draft | null): void => {
    latest.current = next;
    show(next);
  };
  const amountOf = ({ text }: Draft): number | undefined => {
    const amount = text.trim() === '' ? 0 : money.parse(text);
    return amount !== undefined && amount >= 0 ? amount : undefined;
  };

  /** @returns whether the field may be left */
  const save = (): boolean => {
    const typed = latest.current;
    if (!typed) return true;
    const planned = amountOf(typed);
    if (planned === undefined) return false;
    setDraft(null);
    if (planned !== item.planned) {
      commands
        .plan(item, typed.from, planned, money.plain)
        .catch((error: unknown) => sayFailed(`${item.name} keeps its plan. ${sentenceOf(error)}`));
    }
    return true;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const field = event.currentTarget;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (save()) neighbourOf(field, event.shiftKey ? -1 : 1)?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      // The figure is back at once, and can be typed over.
      flushSync(() => setDraft(null));
      field.select();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !event.altKey) {
      event.preventDefault();
      if (save()) neighbourOf(field, event.key === 'ArrowUp' ? -1 : 1)?.focus();
    }
  };

  return (
    <input
      data-planned
      className="planned"
      aria-label={`Planned for ${item.name}`}
      aria-invalid={(draft !== null && amountOf(draft) === undefined) || undefined}
      inputMode="decimal"
      autoComplete="off"
      enterKeyHint="next"
      value={draft?.text ?? money.plain(item.planned)}
      onFocus={event => event.currentTarget.select()}
      onChange={event => setDraft({ text: event.target.value, from: draft?.from ?? item.planned })}
      onKeyDown={onKeyDown}
      onBlur={() => {
        if (save()) return;
        sayFailed(`“${latest.current?.text ?? ''}” is not an amount; ${item.name} keeps its plan.`);
        setDraft(null);
      }}
    />
  );
}

function neighbourOf(field: HTMLInputElement, step: -1 | 1): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>(FIELD)];
  return fields[fields.indexOf(field) + step];
}
