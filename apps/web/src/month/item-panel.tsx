import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { monthName } from '../format/dates.js';
import type { Item } from '../api/types.js';
import { Dialog } from '../ui/dialog.js';
import { BalanceForm } from './balance-form.js';
import { FundSection } from './fund-section.js';
import { ItemFigures } from './item-figures.js';
import { ItemForm } from './item-form.js';
import { ItemTransactions } from './item-transactions.js';
import { useShownMonth } from './month-context.js';
import { findItem } from './month-patches.js';
import { Removal } from './removal.js';

type View = 'item' | 'open-fund' | 'balance' | 'removal';

/** All about one item: its figures and why, what can be changed, its fund, its transactions. */
export default function ItemPanel({
  itemId,
  onClose,
}: {
  readonly itemId: string;
  readonly onClose: () => void;
}) {
  const { month } = useShownMonth();
  const item = findItem(month, itemId);
  const [view, setView] = useState<View>('item');
  if (!item) {
    return (
      <Dialog title="Item" onClose={onClose} isPanel>
        <p>This item is not in {monthName(month.month)}.</p>
      </Dialog>
    );
  }
  if (view === 'removal') return <Removal subject={{ kind: 'item', item }} onClose={onClose} />;
  return (
    <Dialog title={item.name} onClose={onClose} isPanel>
      {view === 'item' ? (
        <Overview item={item} show={setView} />
      ) : (
        <BalanceForm item={item} isOpening={view === 'open-fund'} onDone={() => setView('item')} />
      )}
    </Dialog>
  );
}

function Overview({ item, show }: { readonly item: Item; readonly show: (view: View) => void }) {
  const { month, isReadOnly } = useShownMonth();
  const group = month.groups.find(({ id }) => id === item.group_id);
  return (
    <>
      <p className="quiet small panel-place">
        {group?.name}, {monthName(month.month)}
      </p>
      <ItemFigures item={item} />
      {!isReadOnly && <HarvestButton item={item} />}
      {item.kind === 'expense' && <FundSection item={item} show={show} />}
      {!isReadOnly && <ItemForm key={item.id} item={item} onDelete={() => show('removal')} />}
      <ItemTransactions item={item} />
    </>
  );
}

function HarvestButton({ item }: { readonly item: Item }) {
  const { commands, money } = useShownMonth();
  const harvest = useMutation({ mutationFn: () => commands.harvest(item, money.plain) });
  const isHarvestable =
    item.kind === 'expense' && !item.is_fund && item.remaining > 0 && item.planned > Math.max(item.spent, 0);
  if (!isHarvestable) return null;
  return (
    <div className="offer">
      <p className="small">
        Done with {item.name} for this month? Bring the {money.full(item.planned - Math.max(item.spent, 0))}{' '}
        that are left back to your budget.
      </p>
      <button type="button" className="button" disabled={harvest.isPending} onClick={() => harvest.mutate()}>
        Harvest
      </button>
    </div>
  );
}
