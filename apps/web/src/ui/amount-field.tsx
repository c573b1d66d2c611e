import { useId, useState } from 'react';
import type { Money } from '../format/money.js';
import { describedBy, Descriptions } from './field.js';

const UNREADABLE = 'Write an amount such as 12.50, or a sum such as 10+2.50.';

interface AmountFieldProperties {
  readonly label: string;
  readonly money: Money;
  /** In minor units; null while nothing readable is typed. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly allowsNegative?: boolean;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  readonly className?: string;
}

/** A field for an amount, in which sums such as `12.50+3` can be typed. */
export function AmountField({
  label,
  money,
  value,
  onChange,
  hint,
  error,
  allowsNegative = false,
  required = false,
  autoFocus = false,
  className = '',
}: AmountFieldProperties) {
  const id = useId();
  // What is typed stays as it is until the field is left; then it is written as an amount.
  const [text, setText] = useState<string | null>(null);
  const [wasLeft, setLeft] = useState(false);
  const isUnreadable = wasLeft && text !== null && text.trim() !== '' && value === null;
  const shownError = error ?? (isUnreadable ? UNREADABLE : undefined);
  const read = (typed: string): number | null => {
    const amount = money.parse(typed);
    return amount === undefined || (amount < 0 && !allowsNegative) ? null : amount;
  };
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="amount-input"
        inputMode={allowsNegative ? 'text' : 'decimal'}
        autoComplete="off"
        required={required}
        // A page or dialog of which this is the first field.
        autoFocus={autoFocus}
        value={text ?? (value === null ? '' : money.plain(value))}
        aria-invalid={shownError === undefined ? undefined : true}
        aria-describedby={describedBy(id, hint, shownError)}
        onFocus={event => event.currentTarget.select()}
        onChange={event => {
          setText(event.target.value);
          setLeft(false);
          onChange(read(event.target.value));
        }}
        onBlur={() => {
          setLeft(true);
          if (value !== null) setText(null);
        }}
      />
      <Descriptions id={id} hint={hint} error={shownError} />
    </div>
  );
}
