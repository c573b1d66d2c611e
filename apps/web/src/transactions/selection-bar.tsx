import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../api/query-client.js';
import { monthQuery, type Transaction } from '../api/queries.js';
import { useSession } from '../shell/household-context.js';
import { ItemChoice } from './item-choice.js';
import { OPERATIONS_MAX, trackOn } from './track.js';
import { changeMany } from './transaction-commands.js';
import type { View } from './transaction-queries.js';

interface SelectionBarProperties {
  readonly view: View;
  readonly chosen: readonly Transaction[];
  readonly onDone: () => void;
}

/** What can be done with all selected transactions at once. */
export function SelectionBar({ view, chosen, onDone }: SelectionBarProperties) {
  const { household } = useSession();
  const [item, setItem] = useState('');
  const run = useMutation({ mutationFn: (work: () => Promise<void>) => work(), onSuccess: onDone });
  const month = chosen[0]!.budget_month;
  const isTooMany = chosen.length > OPERATIONS_MAX;
  const all = (op: 'delete' | 'restore', done: string) => () =>
    run.mutate(() =>
      changeMany(
        household.id,
        chosen.map(({ id }) => ({ op, id })),
        `${done} ${chosen.length === 1 ? chosen[0]!.merchant : `${chosen.length} transactions`}.`,
      ),
    );
  const track = (): void => {
    const data = queryClient.getQueryData(monthQuery(household.id, month).queryKey);
    const found = data?.month.groups.flatMap(({ items }) => items).find(({ id }) => id === item);
    if (found) run.mutate(() => trackOn(household.id, chosen, found));
  };
  return (
    <div className="selection card" role="toolbar" aria-label="Selected transactions">
      <strong>{chosen.length} selected</strong>
      {view === 'deleted' ? (
        <button
          type="button"
          className="button"
          disabled={isTooMany || run.isPending}
          onClick={all('restore', 'Restored')}
        >
          Restore
        </button>
      ) : (
        <>
          <ItemChoice
            label="Budget item"
            isLabelHidden
            none="Choose an item"
            month={month}
            type={chosen[0]!.type}
            value={item}
            onChange={setItem}
          />
          <button
            type="button"
            className="button is-primary"
            disabled={item === '' || isTooMany || run.isPending}
            onClick={track}
          >
            Track
          </button>
          <button
            type="button"
            className="button is-danger"
            disabled={isTooMany || run.isPending}
            onClick={all('delete', 'Deleted')}
          >
            Delete
          </button>
        </>
      )}
      <button type="button" className="button" onClick={onDone}>
        Clear
      </button>
      {isTooMany && <p className="field-error">Select at most {OPERATIONS_MAX} at once.</p>}
    </div>
  );
}
