import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { dateName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import type { PreviewRow, RowState } from './preview.js';

const ROW_HEIGHT = 56;
const STATES: Readonly<Record<RowState, string>> = {
  new: 'New',
  known: 'Known',
  deleted: 'Deleted before',
  invalid: 'Cannot be read',
};

interface PreviewTableProperties {
  readonly rows: readonly PreviewRow[];
  readonly wanted: ReadonlySet<number>;
  readonly onWant: (wanted: ReadonlySet<number>) => void;
}

/** The rows of a file, of which only those in view are in the page. */
export function PreviewTable({ rows, wanted, onWant }: PreviewTableProperties) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const toggle = (row: number): void => {
    const next = new Set(wanted);
    if (!next.delete(row)) next.add(row);
    onWant(next);
  };
  return (
    <div ref={frame} className="preview card" tabIndex={0} role="group" aria-label="Rows of the file">
      <div role="list" className="transactions" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            role="listitem"
            className="virtual-row"
            style={{ transform: `translateY(${start}px)` }}
          >
            <Row row={rows[index]!} isWanted={wanted.has(rows[index]!.row)} onToggle={toggle} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowProperties {
  readonly row: PreviewRow;
  readonly isWanted: boolean;
  readonly onToggle: (row: number) => void;
}

function Row({ row, isWanted, onToggle }: RowProperties) {
  const { money } = useSession();
  const { operation, state, problem, similar } = row;
  if (operation === null) {
    return (
      <div className="preview-row is-invalid">
        <span className="preview-state">Row {row.row}</span>
        <span className="row-text">{problem}</span>
      </div>
    );
  }
  const isIncome = operation.type === 'income';
  return (
    <label className={`preview-row is-${state}`}>
      <input
        type="checkbox"
        checked={isWanted}
        disabled={state === 'known'}
        onChange={() => onToggle(row.row)}
      />
      <span className="row-text">
        <span className="row-merchant">{operation.merchant}</span>
        <span className="row-detail quiet small">
          {[dateName(operation.date), row.category, operation.note].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="preview-state small">
        {similar.length > 0 && state === 'new' ? 'Probably entered by hand' : STATES[state]}
      </span>
      <span className={`figure${isIncome ? ' is-income' : ''}`}>
        {isIncome ? '+' : ''}
        {money.plain(operation.amount)}
      </span>
    </label>
  );
}
