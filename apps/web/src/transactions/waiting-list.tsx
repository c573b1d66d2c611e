import { forget, waiting } from '../offline/waiting.js';
import { dateName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { useSignal } from '../ui/signal.js';

/** Transactions that were typed without a network, until the service has them. */
export function WaitingList() {
  const { me, household, money } = useSession();
  const own = useSignal(waiting).filter(
    entry => entry.userId === me.user.id && entry.household === household.id,
  );
  if (own.length === 0) return null;
  return (
    <section className="waiting card" aria-label="Waiting to be sent">
      <h2>Waiting to be sent</h2>
      <ul>
        {own.map(({ body, problem }) => (
          <li key={body.id} className="waiting-entry">
            <span>
              {body.merchant} <span className="quiet small">{dateName(body.date)}</span>
              {problem !== null && <span className="field-error">{problem}</span>}
            </span>
            <span className="figure">{money.plain(body.amount)}</span>
            {problem !== null && (
              <button type="button" className="button is-small" onClick={() => void forget(body.id)}>
                Discard
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
