import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../api/sentences.js';
import { monthsQuery } from '../api/queries.js';
import type { Month } from '../api/types.js';
import { monthName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { Dialog } from '../ui/dialog.js';
import { resetQuery } from './dry-runs.js';
import { useShownMonth } from './month-context.js';
import { untrackedSentence } from './removal.js';
import { Form } from '../ui/form.js';

type Mode = 'zero' | 'replace';

/** Resets a month after showing what changes. */
export default function ResetDialog({ onClose }: { readonly onClose: () => void }) {
  const { household, api } = useSession();
  const { month, commands } = useShownMonth();
  const [mode, setMode] = useState<Mode>('zero');
  const { data: months } = useQuery(monthsQuery(household.id));
  const former = months?.findLast(other => other.month < month.month);
  const preview = useQuery(resetQuery(api, household.id, month.month, mode));
  const reset = useMutation({ mutationFn: () => commands.reset(mode), onSuccess: onClose });
  const choices: readonly { readonly value: Mode; readonly name: string }[] = [
    { value: 'zero', name: 'Set every plan to zero' },
    {
      value: 'replace',
      name: former
        ? `Begin again as a copy of ${monthName(former.month)}`
        : 'Begin again with the common groups',
    },
  ];
  return (
    <Dialog title="Reset month" onClose={onClose}>
      <Form onSubmit={() => reset.mutate()}>
        <fieldset className="choices is-column">
          <legend>{monthName(month.month)}</legend>
          {choices.map(({ value, name }) => (
            <label key={value} className="choice">
              <input type="radio" name="mode" checked={mode === value} onChange={() => setMode(value)} />
              {name}
            </label>
          ))}
        </fieldset>
        <div className="dry-run" role="status">
          {preview.isPending && <p className="quiet">Looking at what this changes …</p>}
          {preview.error && <p className="field-error">{sentenceOf(preview.error)}</p>}
          {preview.data && <Differences before={month} after={preview.data} />}
        </div>
        <div className="form-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button is-danger" disabled={reset.isPending || preview.isPending}>
            Reset month
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function changesSentence(plans: number): string {
  if (plans === 0) return 'No plan changes.';
  return plans === 1 ? 'One plan changes:' : `${plans} plans change:`;
}

/** The plans that differ, and what that comes to. */
function Differences({ before, after }: { readonly before: Month; readonly after: Month }) {
  const { money } = useShownMonth();
  const planned = (month: Month): Map<string, { name: string; planned: number }> =>
    new Map(month.groups.flatMap(group => group.items).map(item => [item.id, item]));
  const [former, next] = [planned(before), planned(after)];
  const ids = [...new Set([...former.keys(), ...next.keys()])];
  const changed = ids.filter(id => former.get(id)?.planned !== next.get(id)?.planned);
  return (
    <>
      <ul className="dry-run-list">
        <li>{untrackedSentence(after.untracked_count - before.untracked_count)}</li>
        <li>
          Left to budget becomes <strong>{money.full(after.left_to_budget)}</strong> instead of{' '}
          {money.full(before.left_to_budget)}.
        </li>
        <li>{changesSentence(changed.length)}</li>
      </ul>
      {changed.length > 0 && (
        <div className="scrolled" tabIndex={0} role="region" aria-label="Plans that change">
          <table className="differences">
            <thead>
              <tr>
                <th scope="col">Item</th>
                <th scope="col">Now</th>
                <th scope="col">Then</th>
              </tr>
            </thead>
            <tbody>
              {changed.map(id => (
                <tr key={id}>
                  <th scope="row">{(next.get(id) ?? former.get(id))?.name}</th>
                  <td>{amountOf(former.get(id))}</td>
                  <td>{amountOf(next.get(id))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );

  function amountOf(item: { planned: number } | undefined): string {
    return item ? money.plain(item.planned) : '–';
  }
}
