import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '#client/client';
import { explainItemQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import type { Item } from '../api/types.js';
import { useSession } from '../shell/household-context.js';
import { Terms } from './terms.js';
import { useShownMonth } from './month-context.js';

interface Figure {
  readonly name: string;
  /** What the explanation calls it. */
  readonly figure: string;
  readonly value: number;
}

function figuresOf(item: Item): readonly Figure[] {
  if (item.kind === 'income') {
    return [
      { name: 'Planned', figure: 'planned', value: item.planned },
      { name: 'Received', figure: 'received', value: item.received },
      { name: 'Remaining', figure: 'remaining', value: item.remaining },
    ];
  }
  return [
    ...(item.fund ? [{ name: 'Carried in', figure: 'carry_in', value: item.fund.carry_in }] : []),
    { name: 'Planned', figure: 'planned', value: item.planned },
    { name: 'Spent', figure: 'spent', value: item.spent },
    item.fund
      ? { name: 'Balance', figure: 'ending', value: item.fund.ending }
      : { name: 'Remaining', figure: 'remaining', value: item.remaining },
  ];
}

/** An item's figures; each opens and shows what it is made of. */
export function ItemFigures({ item }: { readonly item: Item }) {
  const { household } = useSession();
  const { month, money, isReadOnly } = useShownMonth();
  const [isAsked, setAsked] = useState(false);
  const explained = useQuery({
    ...explainItemQuery(household.id, month.month, item.id),
    enabled: isAsked && !isReadOnly,
  });
  return (
    <div className="figures">
      {figuresOf(item).map(({ name, figure, value }) =>
        isReadOnly ? (
          <p key={figure} className="figure-line">
            <span>{name}</span>
            <span className={value < 0 ? 'is-negative' : undefined}>{money.full(value)}</span>
          </p>
        ) : (
          <details key={figure} onToggle={() => setAsked(true)}>
            <summary className="figure-line">
              <span>{name}</span>
              <span className={value < 0 ? 'is-negative' : undefined}>{money.full(value)}</span>
            </summary>
            {explained.isPending && <p className="quiet small">Loading …</p>}
            {explained.error && <p className="field-error">{sentenceOf(explained.error)}</p>}
            {explained.data && <FoundTerms figures={explained.data.figures} figure={figure} />}
          </details>
        ),
      )}
    </div>
  );
}

function FoundTerms({ figures, figure }: { figures: readonly Schemas['ExplainedFigure'][]; figure: string }) {
  const found = figures.find(other => other.figure === figure);
  return found ? <Terms terms={found.terms} /> : null;
}
