import { lazy, Suspense, useState, type CSSProperties } from 'react';
import type { Group } from '../api/types.js';
import { Icon } from '../ui/icon.js';
import { AddItem } from './add-item.js';
import { columnOf } from './columns.js';
import { ItemRow } from './item-row.js';
import { useShownMonth } from './month-context.js';

const GroupDialog = lazy(() => import('./group-dialog.js'));

/** A group as a region of its name. */
export function GroupCard({ group }: { readonly group: Group }) {
  const { money, columnView, isReadOnly } = useShownMonth();
  const [isOpen, setOpen] = useState(false);
  const column = columnOf(columnView, group.is_income);
  const headingId = `group-${group.id}`;
  const total = column && group.totals[column.figure];
  return (
    <section
      className={`card group${columnView === 'planned' ? ' has-one-column' : ''}`}
      aria-labelledby={headingId}
      style={{ '--group': group.color } as CSSProperties}
      data-group={group.id}
      data-income={group.is_income}
    >
      <div className="group-head" data-handle={isReadOnly || group.is_income ? undefined : 'group'}>
        <h2 id={headingId}>
          {isReadOnly ? (
            group.name
          ) : (
            <button
              type="button"
              className="name-button"
              aria-keyshortcuts={group.is_income ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
              onClick={() => setOpen(true)}
            >
              {group.name}
            </button>
          )}
        </h2>
        <p className="figure column-head">
          <span className="quiet small">Planned</span>
          <span>{money.plain(group.totals.planned)}</span>
        </p>
        {column && total !== undefined && (
          <p className="figure column-head">
            <span className="quiet small">{column.name}</span>
            <span className={total < 0 ? 'is-negative' : undefined}>{money.plain(total)}</span>
          </p>
        )}
      </div>
      <ul className="items">
        {group.items.map(item => (
          <ItemRow key={item.id} item={item} />
        ))}
        {group.items.length === 0 && (
          <li className="no-items quiet small">
            No items yet. {isReadOnly ? '' : 'Add the first one, or drag one here.'}
          </li>
        )}
      </ul>
      {!isReadOnly && <AddItem group={group} />}
      {isOpen && (
        <Suspense>
          <GroupDialog group={group} onClose={() => setOpen(false)} />
        </Suspense>
      )}
      <span className="drag-mark" aria-hidden="true">
        <Icon name="grip" />
      </span>
    </section>
  );
}
