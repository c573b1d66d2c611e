import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../api/sentences.js';
import type { Item } from '../api/types.js';
import { AmountField } from '../ui/amount-field.js';
import { useShownMonth } from './month-context.js';
import { Form } from '../ui/form.js';

interface BalanceFormProperties {
  readonly item: Item;
  /** The item becomes a fund; otherwise the balance of one is corrected. */
  readonly isOpening: boolean;
  readonly onDone: () => void;
}

/** Asks for the balance of a fund. */
export function BalanceForm({ item, isOpening, onDone }: BalanceFormProperties) {
  const { commands, money } = useShownMonth();
  const [balance, setBalance] = useState<number | null>(isOpening ? 0 : (item.fund?.ending ?? 0));
  const save = useMutation({
    mutationFn: async () => {
      if (balance === null) return;
      await (isOpening ? commands.openFund(item, balance) : commands.updateBalance(item, balance));
    },
    meta: { showsErrors: true },
    onSuccess: onDone,
  });
  return (
    <Form
      onSubmit={() => {
        if (balance !== null) save.mutate();
      }}
    >
      <p>
        {isOpening
          ? `A fund keeps its balance from month to month. How much is in ${item.name} already?`
          : `How much is really in ${item.name} now? The difference is recorded as an update, not as spending.`}
      </p>
      <AmountField
        label="Current balance"
        money={money}
        value={balance}
        onChange={setBalance}
        allowsNegative
        required
        autoFocus
        error={save.error ? sentenceOf(save.error) : undefined}
      />
      <div className="form-actions">
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" className="button is-primary" disabled={save.isPending || balance === null}>
          Save
        </button>
      </div>
    </Form>
  );
}
