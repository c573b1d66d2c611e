import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { fundHistoryQuery } from '../api/queries.js';
import type { Item } from '../api/types.js';
import { useSession } from '../shell/household-context.js';
import { useShownMonth } from './month-context.js';

const FundPicture = lazy(() => import('./fund-picture.js'));

/** Makes an item a fund, or shows the one it is. */
export function FundSection({
  item,
  show,
}: {
  readonly item: Item;
  readonly show: (view: 'open-fund' | 'balance') => void;
}) {
  const { isReadOnly } = useShownMonth();
  if (!item.is_fund) {
    if (isReadOnly) return null;
    return (
      <div className="offer">
        <p className="small">Saving up for something? A fund keeps what is left from month to month.</p>
        <button type="button" className="button" onClick={() => show('open-fund')}>
          Make this a fund
        </button>
      </div>
    );
  }
  return <Fund item={item} onUpdate={() => show('balance')} />;
}

function Fund({ item, onUpdate }: { readonly item: Item; readonly onUpdate: () => void }) {
  const { household } = useSession();
  const { money, commands, isReadOnly } = useShownMonth();
  const { data: history } = useQuery(fundHistoryQuery(household.id, item.id));
  const end = useMutation({ mutationFn: () => commands.changeItem(item, { is_fund: false }) });
  const target = item.fund_target;
  const missing = target === null || !item.fund ? 0 : target - item.fund.ending;
  return (
    <section className="fund" aria-label="Fund">
      <h3>Fund</h3>
      {target !== null && (
        <p className="small">
          {missing > 0
            ? `${money.full(missing)} until the target of ${money.full(target)}.`
            : `The target of ${money.full(target)} is reached.`}
        </p>
      )}
      {history && history.length > 0 && (
        <Suspense fallback={<div className="fund-picture" />}>
          <FundPicture entries={history} money={money} target={target} />
        </Suspense>
      )}
      {!isReadOnly && (
        <div className="form-actions is-start">
          <button type="button" className="button" onClick={onUpdate}>
            Update balance
          </button>
          <button type="button" className="button" disabled={end.isPending} onClick={() => end.mutate()}>
            End this fund
          </button>
        </div>
      )}
    </section>
  );
}
