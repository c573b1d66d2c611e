import { useState, type KeyboardEvent } from 'react';
import type { Item } from '../api/types.js';
import { sentenceOf } from '../api/sentences.js';
import { LARGEST_AMOUNT } from '../format/amount-entry.js';
import { sayFailed } from '../ui/toasts.js';
import { useShownMonth } from './month-context.js';

const FIELD = 'input[data-planned]';

/** What is planned for an item, edited in place: Enter saves and goes on to the next, Escape takes back. */
export function PlannedField({ item }: { readonly item: Item }) {
  const { money, commands } = useShownMonth();
  // While it is typed in, the text is the person's; otherwise it is the figure.
  const [draft, setDraft] = useState<{ readonly text: string; readonly from: number } | null>(null);
  const amount = draft && money.parse(draft.text);
  const isWrong = draft !== null && (amount === undefined || amount === null || amount < 0);

  /** @returns whether the field may be left */
  const save = (): boolean => {
    if (!draft) return true;
    if (draft.text.trim() === '') return take(0);
    if (isWrong || amount === undefined || amount === null || amount > LARGEST_AMOUNT) return false;
    return take(amount);
  };

  const take = (planned: number): true => {
    const from = draft?.from ?? item.planned;
    setDraft(null);
    if (planned === item.planned) return true;
    commands
      .plan(item, from, planned, money.plain)
      .catch((error: unknown) => sayFailed(`${item.name} keeps its plan. ${sentenceOf(error)}`));
    return true;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const field = event.currentTarget;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (save()) neighbourOf(field, event.shiftKey ? -1 : 1)?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      setDraft(null);
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
      aria-invalid={isWrong || undefined}
      inputMode="decimal"
      autoComplete="off"
      enterKeyHint="next"
      value={draft?.text ?? money.plain(item.planned)}
      onFocus={event => event.currentTarget.select()}
      onChange={event => setDraft({ text: event.target.value, from: draft?.from ?? item.planned })}
      onKeyDown={onKeyDown}
      onBlur={() => {
        if (save()) return;
        sayFailed(`“${draft?.text ?? ''}” is not an amount; ${item.name} keeps its plan.`);
        setDraft(null);
      }}
    />
  );
}

function neighbourOf(field: HTMLInputElement, step: -1 | 1): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>(FIELD)];
  return fields[fields.indexOf(field) + step];
}
