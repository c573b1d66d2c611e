import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '#client/client';
import { fieldErrors } from '../api/sentences.js';
import type { Item } from '../api/types.js';
import { AmountField } from '../ui/amount-field.js';
import { SelectField, TextArea, TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { Icon } from '../ui/icon.js';
import { useShownMonth } from './month-context.js';
import { placeItem, stepItem } from './order.js';

/** What can be changed about an item: name, note, favourite, target and place. */
export function ItemForm({ item, onDelete }: { readonly item: Item; readonly onDelete: () => void }) {
  const { commands, money } = useShownMonth();
  const [name, setName] = useState(item.name);
  const [note, setNote] = useState(item.note ?? '');
  const [target, setTarget] = useState(item.fund_target);
  // What was there when the person began: another's change of it meanwhile is not overwritten unseen.
  const [before] = useState(item);
  const save = useMutation({
    mutationFn: async () => {
      const fields = {
        ...(name.trim() !== before.name && { name }),
        ...(item.is_fund && target !== before.fund_target && { fund_target: target }),
      };
      if (Object.keys(fields).length > 0) await commands.changeItem(item, fields);
      const written = note.trim() === '' ? null : note;
      if (written !== before.note) await commands.note(item, before.note, written);
    },
  });
  return (
    <>
      <Form onSubmit={() => save.mutate()}>
        <TextField
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={setName}
          error={fieldErrors(save.error)['name']}
        />
        <TextArea
          label="Note"
          hint="For this month only."
          maxLength={2000}
          value={note}
          onChange={setNote}
          error={fieldErrors(save.error)['note']}
        />
        {item.is_fund && (
          <AmountField
            label="Target"
            money={money}
            value={target}
            onChange={setTarget}
            hint="What the fund shall grow to. Leave it empty for none."
          />
        )}
        <div className="form-actions">
          <button type="button" className="button is-danger is-apart" onClick={onDelete}>
            Delete
          </button>
          <button type="submit" className="button is-primary" disabled={save.isPending}>
            Save
          </button>
        </div>
      </Form>
      <FavouriteChoice item={item} change={fields => commands.changeItem(item, fields)} />
      <ItemPlace item={item} />
    </>
  );
}

function FavouriteChoice({
  item,
  change,
}: {
  readonly item: Item;
  readonly change: (fields: Schemas['ChangeItemBody']) => Promise<void>;
}) {
  const toggle = useMutation({ mutationFn: (favorite: boolean) => change({ favorite }) });
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={item.favorite}
        onChange={event => toggle.mutate(event.target.checked)}
      />
      Favourite
    </label>
  );
}

/** The item's group and place in it, for those who do not drag. */
function ItemPlace({ item }: { readonly item: Item }) {
  const { month, commands } = useShownMonth();
  const move = useMutation({
    mutationFn: (order: NonNullable<ReturnType<typeof stepItem>>) => commands.orderItems(order),
  });
  const groups = month.groups.filter(group => group.is_income === (item.kind === 'income'));
  return (
    <div className="place">
      <SelectField
        label="Group"
        value={item.group_id}
        options={groups.map(group => ({ value: group.id, name: group.name }))}
        onChange={groupId => {
          const order = placeItem(
            month,
            item.id,
            groupId,
            groups.find(({ id }) => id === groupId)?.items.length ?? 0,
          );
          if (order) move.mutate(order);
        }}
      />
      {([-1, 1] as const).map(step => {
        const order = stepItem(month, item.id, step);
        return (
          <button
            key={step}
            type="button"
            className="button"
            aria-label={step === -1 ? 'Move up' : 'Move down'}
            disabled={!order}
            onClick={() => order && move.mutate(order)}
          >
            <Icon name={step === -1 ? 'up' : 'down'} />
          </button>
        );
      })}
    </div>
  );
}
