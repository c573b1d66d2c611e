import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Group } from '../api/types.js';
import { Icon } from '../ui/icon.js';
import { TextField } from '../ui/field.js';
import { useShownMonth } from './month-context.js';
import { PutBackItems } from './put-back.js';

/** Adds items to a group, one after the other. */
export function AddItem({ group }: { readonly group: Group }) {
  const { commands } = useShownMonth();
  const [name, setName] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: (text: string) => commands.addItem(group.id, { name: text, planned: 0 }, text),
    // Ready for the next one.
    onSuccess: () => setName(''),
  });
  if (name === null) {
    return (
      <button type="button" className="text-button add-item small" onClick={() => setName('')}>
        <Icon name="plus" /> Add item
      </button>
    );
  }
  return (
    <form
      className="add-item-form"
      onKeyDown={event => {
        if (event.key === 'Escape') setName(null);
      }}
      onSubmit={event => {
        event.preventDefault();
        if (name.trim() !== '' && !add.isPending) add.mutate(name);
      }}
    >
      <TextField label="Name" required maxLength={100} autoFocus value={name} onChange={setName} />
      <button type="submit" className="button is-primary" disabled={add.isPending}>
        Save
      </button>
      <button type="button" className="button" onClick={() => setName(null)}>
        Cancel
      </button>
      <PutBackItems group={group} />
    </form>
  );
}
