import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../api/sentences.js';
import { useSession } from '../shell/household-context.js';
import { changeDefaultHousehold } from '../session/session-commands.js';
import { Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { sayDone } from '../ui/toasts.js';
import { CurrencyField } from './currency-field.js';
import { createHousehold } from './household-commands.js';

/** The person's other budgets, and a way to begin one. */
export function OtherHouseholds() {
  const { me, household } = useSession();
  const [isOpen, setOpen] = useState(false);
  const show = useMutation({ mutationFn: changeDefaultHousehold });
  const others = me.households.filter(({ id }) => id !== household.id);
  return (
    <section className="card" aria-labelledby="other-households">
      <h2 id="other-households">Other households</h2>
      {others.length === 0 && (
        <p className="quiet">
          This is your only one. Another one keeps a budget apart, for a club or a shared flat.
        </p>
      )}
      <ul className="lines">
        {others.map(other => (
          <li key={other.id}>
            <div className="line-text">
              <p>
                {other.name} {other.archived && <span className="chip">Archived</span>}
              </p>
              <p className="small quiet">
                {other.member_count === 1 ? '1 member' : `${other.member_count} members`}, {other.currency}
              </p>
            </div>
            <button
              type="button"
              className="button is-small"
              disabled={show.isPending}
              onClick={() => show.mutate(other.id)}
            >
              Show
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        New household
      </button>
      {isOpen && <NewHousehold onClose={() => setOpen(false)} />}
    </section>
  );
}

function NewHousehold({ onClose }: { readonly onClose: () => void }) {
  const { household } = useSession();
  const [name, setName] = useState('');
  const [currency, setCurrency] = useState(household.currency);
  const create = useMutation({
    mutationFn: async () => {
      const { id } = await createHousehold({ name, currency });
      await changeDefaultHousehold(id);
    },
    onSuccess: () => {
      onClose();
      sayDone(`${name} is ready.`);
    },
  });
  return (
    <Dialog title="New household" onClose={onClose}>
      <Form onSubmit={() => create.mutate()}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={100}
          value={name}
          onChange={setName}
          error={fieldErrors(create.error)['name']}
        />
        <CurrencyField value={currency} onChange={setCurrency} />
        <div className="form-actions">
          <button type="submit" className="button is-primary" disabled={create.isPending}>
            Save
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
