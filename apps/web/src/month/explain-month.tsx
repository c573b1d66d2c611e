import { useQuery } from '@tanstack/react-query';
import { explainMonthQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import { useSession } from '../shell/household-context.js';
import { Dialog } from '../ui/dialog.js';
import { useShownMonth } from './month-context.js';
import { Terms } from './terms.js';

/** Why left to budget is what it is. */
export default function ExplainMonth({ onClose }: { readonly onClose: () => void }) {
  const { household } = useSession();
  const { month, money } = useShownMonth();
  const explained = useQuery(explainMonthQuery(household.id, month.month));
  return (
    <Dialog title="Why this figure" onClose={onClose} isPanel>
      <p>
        Left to budget is <strong>{money.full(month.left_to_budget)}</strong>: planned income less planned
        expenses.
      </p>
      {explained.isPending && <p className="quiet">Loading …</p>}
      {explained.error && <p className="field-error">{sentenceOf(explained.error)}</p>}
      {explained.data?.figures.map(figure => (
        <Terms key={figure.figure} terms={figure.terms} />
      ))}
    </Dialog>
  );
}
