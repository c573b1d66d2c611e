import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { itemTransactionsQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import type { Item } from '../api/types.js';
import { dateName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { useShownMonth } from './month-context.js';

const SHOWN = 12;

/** The latest transactions of an item in the month. */
export function ItemTransactions({ item }: { readonly item: Item }) {
  const { household } = useSession();
  const { month, money } = useShownMonth();
  const { data, error } = useQuery(itemTransactionsQuery(household.id, month.month, item.id));
  return (
    <section className="item-transactions" aria-label="Transactions">
      <h3>Transactions</h3>
      {error && <p className="field-error">{sentenceOf(error)}</p>}
      {data?.length === 0 && <p className="quiet small">None this month.</p>}
      {data && data.length > 0 && (
        <ul className="terms">
          {data.slice(0, SHOWN).map(transaction => {
            const split = transaction.splits.find(({ item_id }) => item_id === item.id);
            // An expense lowers what is left; a refund raises it. Of income it is the other way round.
            const isPlus = transaction.type === 'income';
            return (
              <li key={transaction.id} className="source">
                <span>
                  {transaction.merchant}
                  <span className="quiet"> · {dateName(transaction.date)}</span>
                </span>
                <span>
                  {isPlus ? '+' : '−'}
                  {money.plain(split?.amount ?? transaction.amount)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <Link className="small" to={`/transactions?view=tracked&month=${month.month}&item=${item.id}`}>
        {data && data.length > SHOWN ? `All ${data.length === 50 ? '' : data.length}` : 'Show in the list'}
      </Link>
    </section>
  );
}
