import type { Schemas } from '#client/client';
import { dateName, monthName } from '../format/dates.js';
import type { Money } from '../format/money.js';

type Entry = Schemas['FundEntry'];

const WIDTH = 400;
const HEIGHT = 120;
const EDGE = 8;

const KINDS: Readonly<Record<string, string>> = {
  opened: 'Opened',
  laid_out: 'Month begun',
  planned: 'Planned',
  adjusted: 'Balance updated',
  spent: 'Spent',
  removed: 'Left the month',
  closed: 'Ended',
};

const LISTED = 8;

interface FundPictureProperties {
  readonly entries: readonly Entry[];
  readonly money: Money;
  readonly target: number | null;
}

/** A fund's balance over time as a line, and the latest entries in words. */
export default function FundPicture({ entries, money, target }: FundPictureProperties) {
  const balances = monthEnds(entries);
  const values = balances.map(({ balance }) => balance);
  const top = Math.max(...values, target ?? 0, 0);
  const bottom = Math.min(...values, 0);
  const x = (index: number): number =>
    balances.length === 1 ? WIDTH / 2 : EDGE + (index * (WIDTH - 2 * EDGE)) / (balances.length - 1);
  const y = (value: number): number =>
    HEIGHT - EDGE - ((value - bottom) * (HEIGHT - 2 * EDGE)) / Math.max(top - bottom, 1);
  const points = balances.map(({ balance }, index) => `${x(index)},${y(balance)}`);
  const [first, last] = [balances[0]!, balances.at(-1)!];
  return (
    <figure className="fund-picture">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Balance from ${money.full(first.balance)} in ${monthName(first.month)} to ${money.full(last.balance)} in ${monthName(last.month)}`}
      >
        <polygon
          className="fund-area"
          points={`${x(0)},${y(bottom)} ${points.join(' ')} ${x(balances.length - 1)},${y(bottom)}`}
        />
        {target !== null && <line className="fund-target" x1="0" x2={WIDTH} y1={y(target)} y2={y(target)} />}
        <polyline className="fund-line" points={points.join(' ')} />
        {balances.map(({ month, balance }, index) => (
          <circle key={month} className="fund-point" cx={x(index)} cy={y(balance)} r="3.5">
            <title>{`${monthName(month)}: ${money.full(balance)}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption className="fund-months small quiet">
        <span>{monthName(first.month)}</span>
        {balances.length > 1 && <span>{monthName(last.month)}</span>}
      </figcaption>
      <details>
        <summary className="small">Latest entries</summary>
        <ul className="terms">
          {entries
            .slice(-LISTED)
            .toReversed()
            .map(entry => (
              <li key={`${entry.revision} ${entry.month} ${entry.kind}`} className="source">
                <span>
                  {KINDS[entry.kind] ?? entry.kind}, {monthName(entry.month)}
                  <span className="quiet">
                    {' '}
                    · {entry.by_name}, {dateName(entry.at.slice(0, 10))}
                  </span>
                </span>
                <span>
                  {entry.amount > 0 ? '+' : ''}
                  {money.plain(entry.amount)}
                </span>
              </li>
            ))}
        </ul>
      </details>
    </figure>
  );
}

/** The last balance of each month, oldest first. */
function monthEnds(
  entries: readonly Entry[],
): readonly { readonly month: string; readonly balance: number }[] {
  const ends = new Map(entries.map(({ month, balance }) => [month, balance]));
  return [...ends]
    .map(([month, balance]) => ({ month, balance }))
    .sort((one, other) => (one.month < other.month ? -1 : 1));
}
