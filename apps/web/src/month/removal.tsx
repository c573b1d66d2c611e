import { useMutation, useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../api/sentences.js';
import type { Group, Item } from '../api/types.js';
import { monthName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { Dialog } from '../ui/dialog.js';
import { withoutGroupQuery, withoutItemQuery } from './dry-runs.js';
import { useShownMonth } from './month-context.js';

type RemovalSubject =
  { readonly kind: 'item'; readonly item: Item } | { readonly kind: 'group'; readonly group: Group };

/** Says what deleting an item or group from a month does to its transactions, then does it. */
export function Removal({
  subject,
  onClose,
}: {
  readonly subject: RemovalSubject;
  readonly onClose: () => void;
}) {
  const { household, api } = useSession();
  const { month, money, commands } = useShownMonth();
  const name = subject.kind === 'item' ? subject.item.name : subject.group.name;
  const preview = useQuery(
    subject.kind === 'item'
      ? withoutItemQuery(api, household.id, month.month, subject.item.id)
      : withoutGroupQuery(api, household.id, month.month, subject.group.id),
  );
  const remove = useMutation({
    mutationFn: () =>
      subject.kind === 'item'
        ? commands.removeItem(subject.item)
        : commands.removeGroup(subject.group.id, subject.group.name),
    onSuccess: onClose,
  });
  const untracked = preview.data && preview.data.untracked_count - month.untracked_count;
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <p>
        {subject.kind === 'item'
          ? `This takes ${name} out of ${monthName(month.month)}. Other months keep it.`
          : `This takes ${name} and its ${subject.group.items.length} items out of ${monthName(month.month)}. Other months keep them.`}
      </p>
      <div className="dry-run" role="status">
        {preview.isPending && <p className="quiet">Looking at what this changes …</p>}
        {preview.error && <p className="field-error">{sentenceOf(preview.error)}</p>}
        {preview.data && untracked !== undefined && (
          <ul className="dry-run-list">
            <li>{untrackedSentence(untracked)}</li>
            <li>
              Left to budget becomes <strong>{money.full(preview.data.left_to_budget)}</strong> instead of{' '}
              {money.full(month.left_to_budget)}.
            </li>
          </ul>
        )}
      </div>
      <div className="form-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button is-danger"
          disabled={remove.isPending || preview.isPending}
          onClick={() => remove.mutate()}
        >
          Delete
        </button>
      </div>
    </Dialog>
  );
}

export function untrackedSentence(count: number): string {
  if (count <= 0) return 'No transaction is affected.';
  return count === 1
    ? '1 transaction will be untracked. It stays in your list.'
    : `${count} transactions will be untracked. They stay in your list.`;
}
