import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { monthQuery, type Group } from '../api/queries.js';
import { useSession } from '../shell/household-context.js';

interface ItemChoiceProperties {
  readonly label: string;
  /** Only for screen readers, where the place says it to everybody else. */
  readonly isLabelHidden?: boolean;
  readonly month: string;
  readonly type: 'expense' | 'income';
  /** The chosen item's id; `''` for none. */
  readonly value: string;
  readonly onChange: (itemId: string) => void;
  /** What stands for no item. */
  readonly none?: string;
  readonly error?: string | undefined;
}

/** The groups of a month whose items a transaction can go to, likely ones first. */
function groupsFor(type: 'expense' | 'income', groups: readonly Group[]): readonly Group[] {
  const spending = groups.filter(({ is_income, items }) => !is_income && items.length > 0);
  const income = groups.filter(({ is_income, items }) => is_income && items.length > 0);
  // An income on an expense item is a refund.
  return type === 'income' ? [...income, ...spending] : spending;
}

/** A choice among the items of a month, by group. */
export function ItemChoice(properties: ItemChoiceProperties) {
  const { label, isLabelHidden, month, type, value, onChange, none = 'Decide later', error } = properties;
  const { household } = useSession();
  const { data } = useQuery(monthQuery(household.id, month));
  const id = useId();
  const groups = groupsFor(type, data?.month.groups ?? []);
  const isThere = value === '' || groups.some(({ items }) => items.some(item => item.id === value));
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={event => onChange(event.target.value)}
      >
        <option value="">{none}</option>
        {!isThere && <option value={value}>An item of another month</option>}
        {groups.map(group => (
          <optgroup key={group.id} label={group.name}>
            {group.items.map(item => (
              <option key={item.id} value={item.id}>
                {item.name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
