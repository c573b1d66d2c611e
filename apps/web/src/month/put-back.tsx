import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { monthQuery, monthsQuery } from '../api/queries.js';
import type { Group, Month } from '../api/types.js';
import { useSession } from '../shell/household-context.js';
import { useShownMonth } from './month-context.js';

/** How many months are looked at for what is not in this one. */
const MONTHS_BEFORE = 5;
const MONTHS_AFTER = 1;

/** Offers items of other months that this one does not have, those of the same group first. */
export function PutBackItems({ group }: { readonly group: Group }) {
  const { month, commands } = useShownMonth();
  const others = useOtherMonths();
  const items = others
    .flatMap(({ groups }) => groups)
    .filter(({ is_income }) => is_income === group.is_income)
    .flatMap(other => other.items.map(item => ({ ...item, isOfGroup: other.id === group.id })));
  const absent = absentOf(
    items,
    month.groups.flatMap(each => each.items),
  );
  const putBack = useMutation({
    mutationFn: ({ id, name, planned }: (typeof absent)[number]) =>
      commands.addItem(group.id, { item_id: id, planned }, name),
  });
  return (
    <PutBack
      choices={absent.toSorted((a, b) => Number(b.isOfGroup) - Number(a.isOfGroup))}
      isBusy={putBack.isPending}
      onChoose={putBack.mutate}
    />
  );
}

/** Offers groups of other months that this one does not have. Their items are offered in them. */
export function PutBackGroups({ onDone }: { readonly onDone: () => void }) {
  const { month, commands } = useShownMonth();
  const others = useOtherMonths();
  const absent = absentOf(
    others.flatMap(({ groups }) => groups),
    month.groups,
  );
  const putBack = useMutation({
    mutationFn: ({ id, name }: Group) => commands.addGroup({ group_id: id }, name),
    onSuccess: onDone,
  });
  return <PutBack choices={absent} isBusy={putBack.isPending} onChoose={putBack.mutate} />;
}

interface PutBackProperties<Choice> {
  readonly choices: readonly Choice[];
  readonly isBusy: boolean;
  readonly onChoose: (choice: Choice) => void;
}

function PutBack<Choice extends { readonly id: string; readonly name: string }>({
  choices,
  isBusy,
  onChoose,
}: PutBackProperties<Choice>) {
  if (choices.length === 0) return null;
  return (
    <div className="put-back" role="group" aria-label="Put back from another month">
      <span className="quiet small">Put back</span>
      {choices.map(choice => (
        <button
          key={choice.id}
          type="button"
          className="button is-small"
          aria-label={`Put ${choice.name} back`}
          disabled={isBusy}
          onClick={() => onChoose(choice)}
        >
          {choice.name}
        </button>
      ))}
    </div>
  );
}

/** The months around the one that is shown, the nearest of those before it first. */
function useOtherMonths(): readonly Month[] {
  const { household } = useSession();
  const { month } = useShownMonth();
  const { data: months = [] } = useQuery(monthsQuery(household.id));
  const names = months.map(other => other.month);
  const before = names.filter(name => name < month.month).slice(-MONTHS_BEFORE);
  const after = names.filter(name => name > month.month).slice(0, MONTHS_AFTER);
  return useQueries({
    queries: [...before.toReversed(), ...after].map(name => monthQuery(household.id, name)),
    combine: results => results.flatMap(({ data }) => data?.month ?? []),
  });
}

/** What is known but not present, each once. */
function absentOf<Entry extends { readonly id: string }>(
  known: readonly Entry[],
  present: readonly { readonly id: string }[],
): readonly Entry[] {
  const ids = new Set(present.map(({ id }) => id));
  return known.filter(({ id }) => !ids.has(id) && ids.add(id));
}
