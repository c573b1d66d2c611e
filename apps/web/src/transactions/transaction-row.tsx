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
        event.dataTransfer.effectAllowed = 'move';
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
      {/* A button would keep the row from being dragged in some browsers, so only the name is one. */}
      <div className="row-main" onClick={onOpen}>
        <span className="row-text">
          <button type="button" className="row-merchant" onClick={stopped(onOpen)}>
            {merchant}
          </button>
          <span className="row-detail quiet small">
            {[whereOf(transaction), note].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className={`figure${isIncome ? ' is-income' : ''}`}>
          {isIncome ? '+' : ''}
          {money.plain(amount)}
        </span>
      </div>
    </div>
  );
}

/** The press is not the row's as well. */
function stopped(run: () => void): (event: { stopPropagation(): void }) => void {
  return event => {
    event.stopPropagation();
    run();
  };
}

function whereOf({ status, splits, budget_month, date }: Transaction): string {
  const names = splits.map(({ item_name }) => item_name).join(', ');
  const where = status === 'untracked' ? 'No budget item yet' : status === 'deleted' ? 'Deleted' : names;
  return budget_month === monthOf(date) ? where : `${where} (${monthName(budget_month)})`;
}
