import { useMutation, useQuery } from '@tanstack/react-query';
import { monthsQuery } from '../api/queries.js';
import { monthName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { MonthCommands } from './month-commands.js';

/** Where a month has no budget yet. */
export function EmptyMonth({ month, asOf }: { readonly month: string; readonly asOf: string | null }) {
  const { household } = useSession();
  const { data: months } = useQuery(monthsQuery(household.id));
  const create = useMutation({ mutationFn: () => new MonthCommands(household.id, month).create() });
  const former = months?.findLast(other => other.month < month);
  if (asOf !== null) {
    return <p className="card empty-month">There was no budget for {monthName(month)} at that time.</p>;
  }
  return (
    <div className="card empty-month">
      <p>There is no budget for {monthName(month)} yet.</p>
      <p className="quiet">
        {former
          ? `It begins as a copy of ${monthName(former.month)}: the same groups, items and plans.`
          : 'It begins with common groups and items, which you can change to fit your life.'}
      </p>
      <button
        type="button"
        className="button is-primary"
        disabled={create.isPending || household.archived}
        onClick={() => create.mutate()}
      >
        Create this month
      </button>
    </div>
  );
}
