import { useShownMonth } from './month-context.js';

const RADIUS = 42;
const LENGTH = 2 * Math.PI * RADIUS;

/** Planned, spent and remaining of all expense groups: the ring fills as money is spent. */
export function Ring() {
  const { month, money } = useShownMonth();
  const { planned, spent, remaining } = month.center;
  const whole = Math.max(planned, spent + remaining, spent);
  const part = whole > 0 ? Math.min(Math.max(spent / whole, 0), 1) : 0;
  return (
    <section className="card center" aria-label="Spending">
      <svg className="ring" viewBox="0 0 100 100" aria-hidden="true">
        <circle className="ring-whole" cx="50" cy="50" r={RADIUS} />
        {part > 0 && (
          <circle
            className={`ring-spent${remaining < 0 ? ' is-over' : ''}`}
            cx="50"
            cy="50"
            r={RADIUS}
            strokeDasharray={`${part * LENGTH} ${LENGTH}`}
          />
        )}
        <text x="50" y="56">
          {new Intl.NumberFormat(navigator.language, { style: 'percent' }).format(part)}
        </text>
      </svg>
      <dl className="center-figures">
        <div>
          <dt>Planned</dt>
          <dd>{money.plain(planned)}</dd>
        </div>
        <div>
          <dt className="is-spent">Spent</dt>
          <dd>{money.plain(spent)}</dd>
        </div>
        <div>
          <dt className="is-remaining">Remaining</dt>
          <dd className={remaining < 0 ? 'is-negative' : undefined}>{money.plain(remaining)}</dd>
        </div>
      </dl>
    </section>
  );
}
