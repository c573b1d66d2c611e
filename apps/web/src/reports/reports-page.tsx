import { queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { dataOf } from '#client/client';
import { apiOf } from '../api/client.js';
import { monthsQuery } from '../api/queries.js';
import { useSession } from '../shell/household-context.js';
import { useTitle } from '../shell/title.js';
import { ItemChoice } from '../transactions/item-choice.js';
import type { Series } from './plot.js';

const Plot = lazy(async () => ({ default: (await import('./plot.js')).Plot }));

/** More months than a picture can show side by side; older ones are in the months themselves. */
const MONTHS_SHOWN = 24;

function itemMonthsQuery(household: string, itemId: string) {
  return queryOptions({
    queryKey: [household, 'reports', 'item', itemId],
    queryFn: ({ signal }) =>
      dataOf(apiOf(household).GET('/items/{itemId}/months', { params: { path: { itemId } }, signal })),
    enabled: itemId !== '',
  });
}

/** Pictures of months, items and funds. */
export default function ReportsPage() {
  useTitle('Reports');
  return (
    <div className="reports">
      <div className="page-head">
        <h1>Reports</h1>
      </div>
      <Months />
      <OneItem />
    </div>
  );
}

function Months() {
  const { household } = useSession();
  const { data } = useQuery(monthsQuery(household.id));
  const shown = useMemo(() => [...(data ?? [])].sort(byMonth).slice(-MONTHS_SHOWN), [data]);
  const months = useMemo(() => shown.map(({ month }) => month), [shown]);
  const series = useMemo(
    (): readonly Series[] => [
      {
        name: 'Received',
        color: '--accent',
        kind: 'bars',
        values: shown.map(({ income }) => income.received),
      },
      { name: 'Spent', color: '--plot-2', kind: 'bars', values: shown.map(({ center }) => center.spent) },
      { name: 'Planned', color: '--plot-3', kind: 'line', values: shown.map(({ center }) => center.planned) },
    ],
    [shown],
  );
  return (
    <section className="card report" aria-labelledby="report-months">
      <h2 id="report-months">Income and spending</h2>
      {data && shown.length === 0 ? (
        <p className="empty">
          There is nothing to draw yet. <Link to="/">Create your first month</Link>.
        </p>
      ) : (
        <Suspense>
          <Plot title="Income and spending by month" months={months} series={series} />
        </Suspense>
      )}
    </section>
  );
}

function OneItem() {
  const { household } = useSession();
  const { data: months } = useQuery(monthsQuery(household.id));
  const latest = [...(months ?? [])].sort(byMonth).at(-1)?.month;
  const [item, setItem] = useState('');
  const { data } = useQuery(itemMonthsQuery(household.id, item));
  const shown = useMemo(() => (data?.months ?? []).slice(-MONTHS_SHOWN), [data]);
  const names = useMemo(() => shown.map(({ month }) => month), [shown]);
  const series = useMemo((): readonly Series[] => {
    const isFund = shown.some(({ fund }) => fund !== null);
    return [
      { name: 'Planned', color: '--plot-3', kind: 'bars', values: shown.map(({ planned }) => planned) },
      {
        name: 'Spent or received',
        color: '--plot-2',
        kind: 'bars',
        values: shown.map(({ spent, received }) => spent + received),
      },
      ...(isFund
        ? [
            {
              name: 'Balance',
              color: '--accent',
              kind: 'line',
              values: shown.map(({ fund }) => fund?.ending ?? null),
            } as const,
          ]
        : []),
    ];
  }, [shown]);
  if (latest === undefined) return null;
  return (
    <section className="card report" aria-labelledby="report-item">
      <h2 id="report-item">An item or fund over time</h2>
      <div className="report-choice">
        <ItemChoice
          label="Item or fund"
          none="Choose one"
          month={latest}
          type="income"
          value={item}
          onChange={setItem}
        />
      </div>
      {data ? (
        <Suspense>
          <Plot title={`${data.name} by month`} months={names} series={series} />
        </Suspense>
      ) : (
        <p className="empty">
          Choose an item to see what was planned and spent, or a fund to see its balance grow.
        </p>
      )}
    </section>
  );
}

function byMonth(a: { readonly month: string }, b: { readonly month: string }): number {
  return a.month < b.month ? -1 : 1;
}
