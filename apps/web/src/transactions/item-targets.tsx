import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { monthQuery, type Item, type Transaction } from '../api/queries.js';
import { thisMonth } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { DRAGGED_TRANSACTIONS, droppedTransactions } from './dragging.js';
import { trackOn } from './track.js';

/** The items that transactions can be dragged onto. With the keyboard, one selects and chooses instead. */
export function ItemTargets({ transactions }: { readonly transactions: readonly Transaction[] }) {
  const { household } = useSession();
  const month = transactions[0]?.budget_month ?? thisMonth();
  const { data } = useQuery(monthQuery(household.id, month));
  if (!data) return null;
  return (
    <aside className="targets card" aria-label="Budget items">
      <p className="quiet small">Drag transactions onto an item.</p>
      {data.month.groups.map(group => (
        <div key={group.id}>
          <h3>{group.name}</h3>
          <ul>
            {group.items.map(item => (
              <Target key={item.id} item={item} transactions={transactions} />
            ))}
          </ul>
        </div>
      ))}
    </aside>
  );
}

function Target({
  item,
  transactions,
}: {
  readonly item: Item;
  readonly transactions: readonly Transaction[];
}) {
  const { household, money } = useSession();
  const [isOver, setOver] = useState(false);
  const track = useMutation({
    mutationFn: (ids: readonly string[]) =>
      trackOn(
        household.id,
        transactions.filter(({ id }) => ids.includes(id)),
        item,
      ),
  });
  return (
    <li
      className={`target${isOver ? ' is-over' : ''}`}
      onDragOver={event => {
        if (!event.dataTransfer.types.includes(DRAGGED_TRANSACTIONS)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault();
        setOver(false);
        track.mutate(droppedTransactions(event.dataTransfer));
      }}
    >
      <span>{item.name}</span>
      <span className="figure quiet">{money.plain(item.remaining)}</span>
    </li>
  );
}
