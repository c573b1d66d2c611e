import type { Schemas } from '#client/client';
import { momentName, monthName } from '../format/dates.js';
import { useShownMonth } from './month-context.js';

const TERM_NAMES: Readonly<Record<string, string>> = {
  planned: 'Planned',
  planned_income: 'Planned income',
  planned_expenses: 'Planned expenses',
  income: 'Planned income',
  expenses: 'Expenses',
  refunds: 'Refunds',
  received: 'Received',
  corrections: 'Corrections',
  carry_in: 'Carried in',
  opening_balance: 'Opening balance',
  adjustments: 'Balance updates',
};

const SHOWN_SOURCES = 40;

/** What a figure is made of, each term with where it comes from. */
export function Terms({ terms }: { readonly terms: readonly Schemas['FigureTerm'][] }) {
  const { money } = useShownMonth();
  const counting = terms.filter(term => term.amount !== 0 || term.sources.length > 0);
  if (counting.length === 0) return <p className="quiet small">Nothing was planned or recorded here yet.</p>;
  return (
    <ul className="terms">
      {counting.map(term => (
        <li key={term.term}>
          <p className="term">
            <span>{TERM_NAMES[term.term] ?? readable(term.term)}</span>
            <span>{money.plain(term.amount)}</span>
          </p>
          <ul>
            {term.sources.slice(0, SHOWN_SOURCES).map(source => (
              <li key={`${source.kind} ${source.id}`} className="source">
                <span>
                  {source.kind === 'month' ? monthName(source.id) : source.label}
                  {source.at !== null && <span className="quiet"> · {momentName(source.at)}</span>}
                </span>
                <span>{money.plain(source.amount)}</span>
              </li>
            ))}
            {term.sources.length > SHOWN_SOURCES && (
              <li className="quiet small">and {term.sources.length - SHOWN_SOURCES} more</li>
            )}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function readable(term: string): string {
  const words = term.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
