import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { monthsQuery } from '../api/queries.js';
import { isMonth, monthName, thisMonth } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { useTitle } from '../shell/title.js';
import { SelectField, TextField } from '../ui/field.js';
import { EditTransaction } from './edit-transaction.js';
import { ItemChoice } from './item-choice.js';
import { ItemTargets } from './item-targets.js';
import { SelectionBar } from './selection-bar.js';
import { TransactionList } from './transaction-list.js';
import { transactionsQuery, VIEWS, type ListFilter, type View } from './transaction-queries.js';
import { WaitingList } from './waiting-list.js';
import { FormError } from '../ui/form-error.js';
import { Loading } from '../ui/loading.js';

const VIEW_NAMES: Readonly<Record<View, string>> = {
  untracked: 'Untracked',
  tracked: 'Tracked',
  deleted: 'Deleted',
  all: 'All',
};

export default function TransactionsPage() {
  useTitle('Transactions');
  const { household } = useSession();
  const [filter, setFilter] = useFilter();
  const query = useDeferredValue(filter.q);
  const list = useInfiniteQuery(transactionsQuery(household.id, { ...filter, q: query.trim() }));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const transactions = list.data?.pages.flatMap(page => page.transactions) ?? [];
  const untracked = list.data?.pages.at(-1)?.untracked_count ?? 0;
  const chosen = transactions.filter(({ id }) => selected.has(id));
  const show = (part: Partial<ListFilter>): void => {
    setSelected(new Set());
    setFilter(part);
  };
  return (
    <>
      <div className="page-head">
        <h1>Transactions</h1>
        <div className="head-actions">
          <Link className="button" to="/import">
            Import a file
          </Link>
        </div>
      </div>
      <Views view={filter.view} untracked={untracked} onChange={view => show({ view })} />
      <Filters filter={filter} onChange={show} />
      <WaitingList />
      <FormError error={list.error} />
      {!list.data && list.isPaused && <Loading />}
      <div className={filter.view === 'untracked' && transactions.length > 0 ? 'list-and-targets' : ''}>
        <div>
          {chosen.length > 0 && (
            <SelectionBar view={filter.view} chosen={chosen} onDone={() => setSelected(new Set())} />
          )}
          {list.data && transactions.length === 0 ? (
            <Empty filter={filter} />
          ) : (
            <TransactionList
              transactions={transactions}
              selected={selected}
              onSelect={setSelected}
              onOpen={setEditing}
              hasMore={list.hasNextPage}
              onEnd={() => {
                if (!list.isFetchingNextPage) void list.fetchNextPage();
              }}
            />
          )}
        </div>
        {filter.view === 'untracked' && transactions.length > 0 && (
          <ItemTargets transactions={transactions} />
        )}
      </div>
      {editing !== null && <EditTransaction key={editing} id={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

/** The filter is the page's address, so that it can be linked to and gone back to. */
function useFilter(): [ListFilter, (part: Partial<ListFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const view = params.get('view');
  const month = params.get('month') ?? '';
  const item = params.get('item') ?? '';
  const isNarrowed = month !== '' || item !== '';
  const filter: ListFilter = {
    view: VIEWS.find(name => name === view) ?? (isNarrowed ? 'tracked' : 'untracked'),
    q: params.get('q') ?? '',
    month: isMonth(month) ? month : '',
    item,
  };
  const setFilter = (part: Partial<ListFilter>): void => {
    const next = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '');
    setParams(new URLSearchParams(next), { replace: true });
  };
  return [filter, setFilter];
}

function Views(properties: {
  readonly view: View;
  readonly untracked: number;
  readonly onChange: (view: View) => void;
}) {
  const { view, untracked, onChange } = properties;
  return (
    <div className="tabs" role="group" aria-label="View">
      {VIEWS.map(name => (
        <button
          key={name}
          type="button"
          className="tab"
          aria-pressed={view === name}
          onClick={() => onChange(name)}
        >
          {VIEW_NAMES[name]}
          {name === 'untracked' && untracked > 0 && <span className="count">{untracked}</span>}
        </button>
      ))}
    </div>
  );
}

function Filters({
  filter,
  onChange,
}: {
  readonly filter: ListFilter;
  readonly onChange: (part: Partial<ListFilter>) => void;
}) {
  const { household } = useSession();
  const { data: months = [] } = useQuery(monthsQuery(household.id));
  const { view, q, month, item } = filter;
  return (
    <div className="filters">
      <TextField
        label="Search transactions"
        className="is-label-hidden"
        type="search"
        placeholder="Merchant or amount"
        maxLength={100}
        value={q}
        onChange={text => onChange({ q: text })}
      />
      {view === 'tracked' && (
        <>
          <SelectField
            label="Month"
            value={month}
            options={[
              { value: '', name: 'Every month' },
              ...months.map(({ month: value }) => ({ value, name: monthName(value) })),
            ]}
            onChange={value => onChange({ month: value })}
          />
          <ItemChoice
            label="Item"
            none="Every item"
            type="income"
            month={month === '' ? thisMonth() : month}
            value={item}
            onChange={value => onChange({ item: value })}
          />
        </>
      )}
    </div>
  );
}

function Empty({ filter: { view, q, month, item } }: { readonly filter: ListFilter }) {
  if (q !== '' || month !== '' || item !== '') return <p className="empty">Nothing here matches.</p>;
  switch (view) {
    case 'untracked':
      return (
        <p className="empty">
          Everything is tracked. New transactions that have no budget item yet wait here until you choose one.
        </p>
      );
    case 'deleted':
      return <p className="empty">Nothing was deleted. What you delete stays here and can be restored.</p>;
    default:
      return (
        <p className="empty">
          No transactions yet. <Link to="/add">Add the first one</Link>, or{' '}
          <Link to="/import">import a file from your bank</Link>.
        </p>
      );
  }
}
