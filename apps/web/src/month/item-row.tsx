import type { Item } from '../api/types.js';
import { Icon } from '../ui/icon.js';
import { columnOf } from './columns.js';
import { useShownMonth } from './month-context.js';
import { PlannedField } from './planned-field.js';

/** An item of a month: its name, a bar, what is planned, and the figure of the chosen column. */
export function ItemRow({ item }: { readonly item: Item }) {
  const { money, columnView, isReadOnly, open } = useShownMonth();
  const column = columnOf(columnView, item.kind === 'income');
  const figure = column && item[column.figure];
  return (
    <li className="item" data-item={item.id} data-handle={isReadOnly ? undefined : 'item'}>
      <div className="item-name">
        <button
          type="button"
          className="name-button"
          aria-keyshortcuts={isReadOnly ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
          onClick={() => open(item.id)}
        >
          {item.name}
        </button>
        {item.favorite && <Mark name="star" says="Favourite" isFilled />}
        {item.is_fund && <Mark name="fund" says="Fund" />}
        <ItemState item={item} />
      </div>
      {isReadOnly ? <p className="figure">{money.plain(item.planned)}</p> : <PlannedField item={item} />}
      {figure !== undefined && (
        <p className={`figure item-figure${figure < 0 ? ' is-negative' : ''}`}>{money.plain(figure)}</p>
      )}
      <ItemBar item={item} />
    </li>
  );
}

function Mark({ name, says, isFilled = false }: { name: 'star' | 'fund'; says: string; isFilled?: boolean }) {
  return (
    <span className="mark" title={says}>
      <Icon name={name} isFilled={isFilled} />
      <span className="visually-hidden">{says}</span>
    </span>
  );
}

/** What colour alone must not say. */
function ItemState({ item }: { readonly item: Item }) {
  if (item.kind === 'expense' && item.remaining < 0)
    return <span className="chip is-warning">Overspent</span>;
  if (item.fund_target !== null && item.fund && item.fund.ending >= item.fund_target) {
    return <span className="chip">Target reached</span>;
  }
  return null;
}

/** How much of an item is used: spent of planned, received of expected, or a fund's balance of its target. */
function ItemBar({ item }: { readonly item: Item }) {
  const [part, whole] = partOf(item);
  const share = whole > 0 ? Math.min(Math.max(part / whole, 0), 1) : part > 0 ? 1 : 0;
  return (
    <span className={`bar${item.remaining < 0 ? ' is-over' : ''}`} aria-hidden="true">
      <span style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}

function partOf(item: Item): readonly [number, number] {
  if (item.kind === 'income') return [item.received, item.planned];
  if (item.fund && item.fund_target !== null) return [item.fund.ending, item.fund_target];
  return [item.spent, item.spent + item.remaining];
}
