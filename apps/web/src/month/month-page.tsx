import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { monthKey, monthQuery, monthsQuery, pastMonthQuery } from '../api/queries.js';
import type { Month } from '../api/types.js';
import { isMonth, monthAfter, monthName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import NotFoundPage from '../shell/not-found-page.js';
import { useTitle } from '../shell/title.js';
import { EmptyMonth } from './empty-month.js';
import { Groups } from './groups.js';
import { MonthCommands } from './month-commands.js';
import { MonthContext } from './month-context.js';
import { MonthFoot, MonthHead } from './month-head.js';
import { Summary } from './summary.js';

const ItemPanel = lazy(() => import('./item-panel.js'));

export default function MonthPage() {
  const { month = '' } = useParams();
  return isMonth(month) ? <KnownMonth month={month} /> : <NotFoundPage />;
}

function KnownMonth({ month }: { readonly month: string }) {
  const { household } = useSession();
  const [search] = useSearchParams();
  const asOf = search.get('as_of');
  // While another month is loaded, the former one stays: nothing blinks.
  const { data } = useSuspenseQuery(
    asOf === null ? monthQuery(household.id, month) : pastMonthQuery(household.id, month, asOf),
  );
  useNeighbours(household.id, month);
  useTitle(monthName(month));
  return (
    <>
      <MonthHead month={month} asOf={asOf} />
      {data === null ? (
        <EmptyMonth month={month} asOf={asOf} />
      ) : (
        <Budget key={month} month={data.month} isPast={asOf !== null} />
      )}
    </>
  );
}

function Budget({ month, isPast }: { readonly month: Month; readonly isPast: boolean }) {
  const { household, money, settings } = useSession();
  const [search, setSearch] = useSearchParams();
  const commands = useMemo(() => new MonthCommands(household.id, month.month), [household.id, month.month]);
  const isReadOnly = isPast || household.archived;
  const itemId = search.get('item');
  const shown = useMemo(
    () => ({
      month,
      money,
      columnView: settings.column_view,
      commands,
      isReadOnly,
      open: (id: string) =>
        setSearch(parameters => {
          parameters.set('item', id);
          return parameters;
        }),
    }),
    [month, money, settings.column_view, commands, isReadOnly, setSearch],
  );
  return (
    <MonthContext value={shown}>
      <div className="month">
        <Summary />
        <div className="month-groups">
          <Groups />
          <MonthFoot />
        </div>
      </div>
      {itemId !== null && (
        <Suspense>
          <ItemPanel
            itemId={itemId}
            onClose={() =>
              setSearch(
                parameters => {
                  parameters.delete('item');
                  return parameters;
                },
                { replace: true },
              )
            }
          />
        </Suspense>
      )}
    </MonthContext>
  );
}

/** Has the months before and after ready, so that one gets there at once. */
function useNeighbours(household: string, month: string): void {
  const client = useQueryClient();
  const { data: months } = useQuery(monthsQuery(household));
  useEffect(() => {
    if (!months) return;
    for (const by of [-1, 1]) {
      const neighbour = monthAfter(month, by);
      if (months.some(other => other.month === neighbour)) {
        void client.prefetchQuery(monthQuery(household, neighbour));
      } else {
        client.setQueryData(monthKey(household, neighbour), data => data ?? null);
      }
    }
  }, [client, household, month, months]);
}
