import type { Transaction } from '../api/queries.js';
import { monthName, monthOf } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { DRAGGED_TRANSACTIONS } from './dragging.js';

interface TransactionRowProperties {
  readonly transaction: Transaction;
  readonly isSelected: boolean;
  /** What is dragged along with it: all that are selected, if it is. */
  readonly dragged: readonly string[];
  readonly onToggle: () => void;
  readonly onOpen: () => void;
}

export function TransactionRow(properties: TransactionRowProperties) {
  const { transaction, isSelected, dragged, onToggle, onOpen } = properties;
  const { money } = useSession();
  const { merchant, type, amount, status, note } = transaction;
  const isIncome = type === 'income';
  return (
    <div
      className={`transaction${isSelected ? ' is-selected' : ''}`}
      draggable={status !== 'deleted'}
      onDragStart={event => {
        event.dataTransfer.setData(DRAGGED_TRANSACTIONS, JSON.stringify(dragged));
        event.dataTransfer.effectAllowed = 'link';
      }}
    >
      <label className="row-check">
        <input
          type="checkbox"
          checked={isSelected}
          onChange={onToggle}
          aria-label={`Select ${merchant}, ${money.full(amount)}`}
        />
      </label>
      <button type="button" className="row-main" onClick={onOpen}>
        <span className="row-text">
          <span className="row-merchant">{merchant}</span>
          <span className="row-detail quiet small">
            {[whereOf(transaction), note].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className={`figure${isIncome ? ' is-income' : ''}`}>
          {isIncome ? '+' : ''}
          {money.plain(amount)}
        </span>
      </button>
    </div>
  );
}

function whereOf({ status, splits, budget_month, date }: Transaction): string {
  const names = splits.map(({ item_name }) => item_name).join(', ');
  const where = status === 'untracked' ? 'No budget item yet' : status === 'deleted' ? 'Deleted' : names;
  return budget_month === monthOf(date) ? where : `${where} (${monthName(budget_month)})`;
}
