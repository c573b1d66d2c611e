import { useSession } from '../shell/household-context.js';
import { Icon } from '../ui/icon.js';
import { TextField } from '../ui/field.js';
import { readRows, type Draft } from './draft.js';
import { ItemChoice } from './item-choice.js';
import { restOf, withRest } from './splits.js';

interface SplitEditorProperties {
  readonly draft: Draft;
  readonly month: string;
  readonly problem?: string | undefined;
  readonly onChange: (rows: NonNullable<Draft['rows']>) => void;
}

/** The parts of an amount. What is left is always shown, and filled in by the R key or the button. */
export function SplitEditor({ draft, month, problem, onChange }: SplitEditorProperties) {
  const { money } = useSession();
  const typed = draft.rows ?? [];
  const rows = readRows(draft, money.parse);
  const rest = restOf(money.parse(draft.amount) ?? 0, rows);
  const set = (at: number, part: Partial<(typeof typed)[number]>): void =>
    onChange(typed.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const fill = (at: number): void => {
    const filled = withRest(money.parse(draft.amount) ?? 0, rows, at)[at]!.amount ?? 0;
    set(at, { amount: money.plain(Math.max(filled, 0)) });
  };
  return (
    <fieldset className="splits">
      <legend className="field-label">Split between budget items</legend>
      {typed.map((row, at) => (
        <SplitRowFields
          key={at}
          row={row}
          number={at + 1}
          month={month}
          type={draft.type}
          canFill={rest !== 0}
          onChange={part => set(at, part)}
          onFill={() => fill(at)}
          onRemove={() => onChange(typed.filter((_, index) => index !== at))}
        />
      ))}
      <div className="split-foot">
        <button
          type="button"
          className="text-button"
          onClick={() => onChange([...typed, { itemId: '', amount: '' }])}
        >
          Add a part
        </button>
        <output className={rest === 0 ? 'quiet' : rest < 0 ? 'is-negative' : ''}>
          {rest < 0 ? `${money.full(-rest)} too much` : `${money.full(rest)} left`}
        </output>
      </div>
      <p className="field-hint">Press R in an amount to fill in what is left.</p>
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

type TypedRow = NonNullable<Draft['rows']>[number];

interface SplitRowProperties {
  readonly row: TypedRow;
  readonly number: number;
  readonly month: string;
  readonly type: Draft['type'];
  readonly canFill: boolean;
  readonly onChange: (part: Partial<TypedRow>) => void;
  readonly onFill: () => void;
  readonly onRemove: () => void;
}

function SplitRowFields(properties: SplitRowProperties) {
  const { row, number, month, type, canFill, onChange, onFill, onRemove } = properties;
  return (
    <div className="split-row">
      <ItemChoice
        label={`Budget item ${number}`}
        isLabelHidden
        none="Choose an item"
        month={month}
        type={type}
        value={row.itemId}
        onChange={itemId => onChange({ itemId })}
      />
      <TextField
        label={`Amount ${number}`}
        className="is-label-hidden"
        inputMode="decimal"
        autoComplete="off"
        value={row.amount}
        onChange={amount => onChange({ amount })}
        onKeyDown={event => {
          if (event.key.toLowerCase() !== 'r') return;
          event.preventDefault();
          onFill();
        }}
      />
      <button
        type="button"
        className="button is-small"
        aria-label={`Fill in the rest for part ${number}`}
        disabled={!canFill}
        onClick={onFill}
      >
        Rest
      </button>
      <button type="button" className="icon-button" aria-label={`Remove part ${number}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </div>
  );
}
