import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { dataOf } from '#client/client';
import { apiOf, type Schemas } from '../api/client.js';
import { undoEvent } from '../api/undo.js';
import { momentName, monthName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { useTitle } from '../shell/title.js';
import { EditTransaction } from '../transactions/edit-transaction.js';
import { sayDone } from '../ui/toasts.js';
import { FormError } from '../ui/form-error.js';
import { Loading } from '../ui/loading.js';

type ActivityEntry = Schemas['ActivityEntry'];

const PAGE_ENTRIES = 50;

function activityQuery(household: string) {
  return infiniteQueryOptions({
    queryKey: [household, 'activity', 'list'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        apiOf(household).GET('/activity', {
          params: { query: { limit: PAGE_ENTRIES, ...(pageParam !== '' && { cursor: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: page => page.next_cursor ?? undefined,
  });
}

/** Who did what, newest first. Everything can be undone, an undoing as well. */
export default function ActivityPage() {
  useTitle('Activity');
  const { household } = useSession();
  const list = useInfiniteQuery(activityQuery(household.id));
  const [shown, setShown] = useState<string | null>(null);
  const entries = list.data?.pages.flatMap(page => page.activity) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>Activity</h1>
      </div>
      <FormError error={list.error} />
      {!list.data && list.isPaused && <Loading />}
      {list.data && entries.length === 0 && (
        <p className="empty">
          Nothing has happened yet. Every change of the budget will stand here, with who made it.
        </p>
      )}
      <ol className="activity">
        {entries.map(entry => (
          <Entry key={entry.event_id} entry={entry} onShow={setShown} />
        ))}
      </ol>
      {list.hasNextPage && (
        <button
          type="button"
          className="button"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show earlier changes
        </button>
      )}
      {shown !== null && <EditTransaction id={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function Entry({ entry, onShow }: { readonly entry: ActivityEntry; readonly onShow: (id: string) => void }) {
  const { household } = useSession();
  const undo = useMutation({
    mutationFn: () => undoEvent(household.id, entry.event_id),
    onSuccess: () => sayDone('Undone.'),
  });
  const summaryId = useId();
  const { transaction_id: transaction } = entry;
  return (
    <li className="activity-entry">
      <div>
        <p id={summaryId}>{entry.summary}</p>
        <p className="quiet small">
          <time dateTime={entry.at}>{momentName(entry.at)}</time>
          {entry.months.map(month => (
            <Link key={month} to={`/months/${month}`}>
              {monthName(month)}
            </Link>
          ))}
          {transaction !== null && (
            <button type="button" className="text-button small" onClick={() => onShow(transaction)}>
              Show transaction
            </button>
          )}
        </p>
      </div>
      <button
        type="button"
        className="button is-small"
        aria-describedby={summaryId}
        disabled={undo.isPending || household.archived}
        onClick={() => undo.mutate()}
      >
        Undo
      </button>
    </li>
  );
}
