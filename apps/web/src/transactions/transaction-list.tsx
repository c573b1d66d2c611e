import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import type { Transaction } from '../api/queries.js';
import { dayName } from '../format/dates.js';
import { TransactionRow } from './transaction-row.js';

interface TransactionListProperties {
  readonly transactions: readonly Transaction[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onOpen: (id: string) => void;
  readonly hasMore: boolean;
  /** The end of what is there comes into view. */
  readonly onEnd: () => void;
}

type Row = { readonly day: string } | { readonly transaction: Transaction };

const ROW_HEIGHT = 64;
const DAY_HEIGHT = 40;
const OVERSCAN = 12;

/** Rows by day, of which only those near the window are in the page. */
export function TransactionList(properties: TransactionListProperties) {
  const { transactions, selected, onSelect, onOpen, hasMore, onEnd } = properties;
  const rows = useMemo(() => byDay(transactions), [transactions]);
  const top = useRef<HTMLDivElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: at => ('day' in rows[at]! ? DAY_HEIGHT : ROW_HEIGHT),
    getItemKey: at => keyOf(rows[at]!),
    overscan: OVERSCAN,
    scrollMargin: top.current?.offsetTop ?? 0,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const isAtEnd = hasMore && last >= rows.length - OVERSCAN;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, rows.length]);
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <div ref={top} className="transactions" role="list" style={{ height: virtualizer.getTotalSize() }}>
      {shown.map(({ index, key, start }) => {
        const row = rows[index]!;
        return (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            role="listitem"
            className="virtual-row"
            style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
          >
            {'day' in row ? (
              <h2 className="day">{dayName(row.day)}</h2>
            ) : (
              <TransactionRow
                transaction={row.transaction}
                isSelected={selected.has(row.transaction.id)}
                dragged={selected.has(row.transaction.id) ? [...selected] : [row.transaction.id]}
                onToggle={() => toggle(row.transaction.id)}
                onOpen={() => onOpen(row.transaction.id)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

function byDay(transactions: readonly Transaction[]): readonly Row[] {
  const rows: Row[] = [];
  let day = '';
  for (const transaction of transactions) {
    if (transaction.date !== day) {
      day = transaction.date;
      rows.push({ day });
    }
    rows.push({ transaction });
  }
  return rows;
}

function keyOf(row: Row): string {
  return 'day' in row ? row.day : row.transaction.id;
}
