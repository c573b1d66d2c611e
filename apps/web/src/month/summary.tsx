import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { settingsQuery } from '../api/queries.js';
import { Icon } from '../ui/icon.js';
import { useShownMonth, type ColumnView } from './month-context.js';
import { findItem } from './month-patches.js';
import { Ring } from './ring.js';

const ExplainMonth = lazy(() => import('./explain-month.js'));

/** What a month comes to: left to budget, the ring, favourites, and what waits to be tracked. */
export function Summary() {
  const { month, isReadOnly } = useShownMonth();
  return (
    <div className="summary">
      <LeftToBudget />
      <Ring />
      <Favourites />
      {month.untracked_count > 0 && !isReadOnly && (
        <Link className="card untracked-note" to="/transactions?view=untracked">
          <span className="untracked-count">{month.untracked_count}</span>
          {month.untracked_count === 1 ? 'transaction waits' : 'transactions wait'} to be tracked
          <Icon name="right" />
        </Link>
      )}
      <ColumnChoice />
    </div>
  );
}

function LeftToBudget() {
  const { month, money, isReadOnly } = useShownMonth();
  const [isExplained, setExplained] = useState(false);
  const left = month.left_to_budget;
  return (
    <section className="card left-to-budget" aria-labelledby="left-to-budget">
      <h2 id="left-to-budget">Left to budget</h2>
      <p className={`big-figure${left < 0 ? ' is-negative' : ''}`}>{money.full(left)}</p>
      <p className="quiet small">
        {left > 0
          ? 'Income that has no job yet.'
          : left === 0
            ? 'Every bit of income has a job. Well done.'
            : 'You planned more than comes in. Lower a plan, or harvest an item.'}
      </p>
      {!isReadOnly && (
        <button type="button" className="text-button small" onClick={() => setExplained(true)}>
          Why this figure?
        </button>
      )}
      {isExplained && (
        <Suspense>
          <ExplainMonth onClose={() => setExplained(false)} />
        </Suspense>
      )}
    </section>
  );
}

function Favourites() {
  const { month, money } = useShownMonth();
  const [search] = useSearchParams();
  const to = (itemId: string): string => {
    const parameters = new URLSearchParams(search);
    parameters.set('item', itemId);
    return `?${parameters}`;
  };
  const items = month.favorites.flatMap(id => findItem(month, id) ?? []);
  if (items.length === 0) return null;
  return (
    <section className="card favourites" aria-labelledby="favourites">
      <h2 id="favourites">Favourites</h2>
      <ul>
        {items.map(item => (
          <li key={item.id}>
            <Link to={to(item.id)}>{item.name}</Link>
            <span className={`figure${item.remaining < 0 ? ' is-negative' : ''}`}>
              {money.plain(item.remaining)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const COLUMNS: readonly { readonly value: ColumnView; readonly name: string }[] = [
  { value: 'remaining', name: 'Remaining' },
  { value: 'spent', name: 'Spent' },
  { value: 'planned', name: 'Planned only' },
];

function ColumnChoice() {
  const { columnView } = useShownMonth();
  const change = useMutation({
    mutationFn: (column_view: ColumnView) => dataOf(api.PATCH('/settings', { body: { column_view } })),
    onSuccess: settings => queryClient.setQueryData(settingsQuery.queryKey, settings),
  });
  const shown = change.isPending ? change.variables : columnView;
  return (
    <div className="column-choice" role="group" aria-label="Column">
      {COLUMNS.map(({ value, name }) => (
        <button key={value} type="button" aria-pressed={shown === value} onClick={() => change.mutate(value)}>
          {name}
        </button>
      ))}
    </div>
  );
}
