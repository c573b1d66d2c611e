import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { fieldErrors } from '../api/sentences.js';
import { useSession } from '../shell/household-context.js';
import { monthAfter, monthName, monthOf } from '../format/dates.js';
import { SelectField, TextArea, TextField } from '../ui/field.js';
import { monthOfDraft, readDraft, type Content, type Draft, type Problems } from './draft.js';
import { ItemChoice } from './item-choice.js';
import { SplitEditor } from './split-editor.js';
import { merchantsQuery } from './transaction-queries.js';
import { FormError } from '../ui/form-error.js';

interface TransactionFormProperties {
  readonly initial: Draft;
  /** Saves, and rejects where that fails: what was typed stays. */
  readonly onSave: (content: Content) => Promise<void>;
  readonly isFirstFieldFocused?: boolean;
  /** Beside the button that saves. */
  readonly actions?: ReactNode;
  /** Below the fields. */
  readonly children?: ReactNode;
}

/** The fields of a transaction. The merchant suggests the item that it went to last. */
export function TransactionForm(properties: TransactionFormProperties) {
  const { initial, onSave, isFirstFieldFocused = false, actions, children } = properties;
  const { money } = useSession();
  const { draft, set, setMerchant, setItem, errors, failure, isSaving, save } = useDraft(initial, onSave);
  return (
    <form
      className="form"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      <TypeChoice value={draft.type} onChange={type => set({ type })} />
      <TextField
        label="Amount"
        className="is-amount"
        inputMode="decimal"
        autoComplete="off"
        autoFocus={isFirstFieldFocused}
        placeholder={money.plain(0)}
        value={draft.amount}
        onChange={amount => set({ amount })}
        error={errors.amount}
      />
      <MerchantField value={draft.merchant} onChange={setMerchant} error={errors.merchant} />
      <ItemPart draft={draft} problem={errors.splits} onItem={setItem} onRows={rows => set({ rows })} />
      <TextField
        label="Date"
        type="date"
        required
        value={draft.date}
        onChange={date => set({ date })}
        error={errors.date}
      />
      <BudgetMonthField draft={draft} onChange={budgetMonth => set({ budgetMonth })} />
      <TextArea label="Note" rows={2} maxLength={1000} value={draft.note} onChange={note => set({ note })} />
      {children}
      <FormError error={failure} />
      <div className="form-actions">
        {actions}
        <button type="submit" className="button is-primary" disabled={isSaving}>
          Save
        </button>
      </div>
    </form>
  );
}

/** What is typed, what is wrong with it, and how it is saved. */
function useDraft(initial: Draft, onSave: (content: Content) => Promise<void>) {
  const { money } = useSession();
  const [draft, setDraft] = useState(initial);
  const [hasChosenItem, setChosenItem] = useState(initial.itemId !== '');
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const suggested = useSuggestions();
  const set = (part: Partial<Draft>): void => setDraft(current => ({ ...current, ...part }));
  const save = async (): Promise<void> => {
    const read = readDraft(draft, money.parse);
    setProblems('problems' in read ? read.problems : {});
    setFailure(undefined);
    if ('problems' in read) return;
    setSaving(true);
    try {
      await onSave(read.content);
    } catch (error) {
      setFailure(error);
    } finally {
      setSaving(false);
    }
  };
  return {
    draft,
    set,
    setMerchant: (merchant: string): void => {
      const item = suggested(merchant);
      set(!hasChosenItem && item !== undefined ? { merchant, itemId: item } : { merchant });
    },
    setItem: (itemId: string): void => {
      setChosenItem(true);
      set({ itemId });
    },
    errors: { ...fieldErrors(failure), ...problems } as Problems,
    failure,
    isSaving,
    save,
  };
}

interface ItemPartProperties {
  readonly draft: Draft;
  readonly problem: string | undefined;
  readonly onItem: (itemId: string) => void;
  readonly onRows: (rows: Draft['rows']) => void;
}

/** One item for the whole amount, or several parts. */
function ItemPart({ draft, problem, onItem, onRows }: ItemPartProperties) {
  const month = monthOfDraft(draft);
  if (draft.rows !== null) {
    return (
      <SplitEditor
        draft={draft}
        month={month}
        problem={problem}
        onChange={rows => onRows(rows.length === 0 ? null : rows)}
      />
    );
  }
  const parts = [
    { itemId: draft.itemId, amount: draft.amount },
    { itemId: '', amount: '' },
  ];
  return (
    <div className="item-and-split">
      <ItemChoice
        label="Budget item"
        month={month}
        type={draft.type}
        value={draft.itemId}
        onChange={onItem}
        error={problem}
      />
      <button type="button" className="button" onClick={() => onRows(parts)}>
        Split
      </button>
    </div>
  );
}

function TypeChoice({
  value,
  onChange,
}: {
  readonly value: Draft['type'];
  readonly onChange: (type: Draft['type']) => void;
}) {
  const name = useId();
  const choice = (type: Draft['type'], label: string) => (
    <label className="segment">
      <input type="radio" name={name} checked={value === type} onChange={() => onChange(type)} />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">Kind</legend>
      {choice('expense', 'Expense')}
      {choice('income', 'Income')}
    </fieldset>
  );
}

/** Money of one month often counts in the next: a salary at the end, a bill at the beginning. */
function BudgetMonthField({
  draft,
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: (month: string) => void;
}) {
  if (draft.date === '') return null;
  const own = monthOf(draft.date);
  const months = [monthAfter(own, -1), own, monthAfter(own)];
  if (draft.budgetMonth !== '' && !months.includes(draft.budgetMonth)) months.push(draft.budgetMonth);
  return (
    <SelectField
      label="Counts in"
      value={monthOfDraft(draft)}
      options={months.map(month => ({ value: month, name: monthName(month) }))}
      onChange={month => onChange(month === own ? '' : month)}
    />
  );
}

/** Finds the item of a merchant in any letter case. */
function useSuggestions(): (merchant: string) => string | undefined {
  const { household } = useSession();
  const { data: merchants = {} } = useQuery(merchantsQuery(household.id));
  return merchant => {
    const wanted = merchant.trim().toLowerCase();
    const found = Object.entries(merchants).find(([name]) => name.toLowerCase() === wanted);
    return wanted === '' ? undefined : found?.[1];
  };
}

function MerchantField(field: {
  readonly value: string;
  readonly onChange: (merchant: string) => void;
  readonly error: string | undefined;
}) {
  const { household } = useSession();
  const { data: merchants = {} } = useQuery(merchantsQuery(household.id));
  const listId = useId();
  return (
    <>
      <TextField label="Merchant" autoComplete="off" maxLength={200} required list={listId} {...field} />
      <datalist id={listId}>
        {Object.keys(merchants).map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
