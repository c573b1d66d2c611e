import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../api/sentences.js';
import type { Group } from '../api/types.js';
import { Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { Icon } from '../ui/icon.js';
import { useShownMonth } from './month-context.js';
import { stepGroup } from './order.js';
import { PutBackGroups } from './put-back.js';
import { Removal } from './removal.js';

const COLORS: readonly { readonly value: string; readonly name: string }[] = [
  { value: '#2e7d32', name: 'Green' },
  { value: '#00796b', name: 'Teal' },
  { value: '#1565c0', name: 'Blue' },
  { value: '#4527a0', name: 'Indigo' },
  { value: '#6a1b9a', name: 'Purple' },
  { value: '#ad1457', name: 'Pink' },
  { value: '#c62828', name: 'Red' },
  { value: '#d84315', name: 'Orange' },
  { value: '#a06a00', name: 'Ochre' },
  { value: '#5d4037', name: 'Brown' },
  { value: '#455a64', name: 'Slate' },
];

interface GroupDialogProperties {
  /** The group to be changed; without it a new one is made. */
  readonly group?: Group;
  readonly onClose: () => void;
}

/** A group's name and colour, its place, and its end. */
export default function GroupDialog({ group, onClose }: GroupDialogProperties) {
  const { commands } = useShownMonth();
  const [name, setName] = useState(group?.name ?? '');
  const [color, setColor] = useState<string | undefined>(group?.color);
  const [isLeaving, setLeaving] = useState(false);
  const save = useMutation({
    mutationFn: async () => {
      if (!group) return commands.addGroup({ name, ...(color !== undefined && { color }) }, name);
      const fields = {
        ...(name.trim() !== group.name && { name }),
        ...(color !== group.color && color && { color }),
      };
      if (Object.keys(fields).length > 0) await commands.changeGroup(group.id, fields);
    },
    onSuccess: onClose,
  });
  if (group && isLeaving) return <Removal subject={{ kind: 'group', group }} onClose={onClose} />;
  return (
    <Dialog title={group ? group.name : 'Add group'} onClose={onClose}>
      <Form onSubmit={() => save.mutate()}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={100}
          value={name}
          onChange={setName}
          error={fieldErrors(save.error)['name']}
        />
        <fieldset className="choices swatches">
          <legend>Colour</legend>
          {COLORS.map(({ value, name: colorName }) => (
            <label key={value} className="swatch" title={colorName}>
              <input
                type="radio"
                name="color"
                value={value}
                aria-label={colorName}
                checked={color === value}
                onChange={() => setColor(value)}
              />
              <span style={{ backgroundColor: value }} />
            </label>
          ))}
        </fieldset>
        {group ? !group.is_income && <GroupPlace group={group} /> : <PutBackGroups onDone={onClose} />}
        <div className="form-actions">
          {group && !group.is_income && (
            <button type="button" className="button is-danger is-apart" onClick={() => setLeaving(true)}>
              Delete
            </button>
          )}
          <button type="submit" className="button is-primary" disabled={save.isPending}>
            Save
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function GroupPlace({ group }: { readonly group: Group }) {
  const { month, commands } = useShownMonth();
  const move = useMutation({ mutationFn: (order: readonly string[]) => commands.orderGroups(order) });
  return (
    <div className="form-actions is-start">
      {([-1, 1] as const).map(step => {
        const order = stepGroup(month, group.id, step);
        return (
          <button
            key={step}
            type="button"
            className="button is-small"
            disabled={!order}
            onClick={() => order && move.mutate(order)}
          >
            <Icon name={step === -1 ? 'up' : 'down'} /> Move {step === -1 ? 'up' : 'down'}
          </button>
        );
      })}
    </div>
  );
}
