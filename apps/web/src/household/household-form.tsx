import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../api/sentences.js';
import { useSession } from '../shell/household-context.js';
import { TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { sayDone } from '../ui/toasts.js';
import { CurrencyField } from './currency-field.js';
import { changeHousehold } from './household-commands.js';

/** The household's name and currency, which its owners change. */
export function HouseholdForm() {
  const { household } = useSession();
  const [name, setName] = useState(household.name);
  const [currency, setCurrency] = useState(household.currency);
  const canChange = household.role === 'owner' && !household.archived;
  const save = useMutation({
    mutationFn: () => changeHousehold(household.id, { name, currency }),
    onSuccess: () => sayDone('Saved.'),
  });
  return (
    <section className="card" aria-labelledby="household-settings">
      <h2 id="household-settings">This household</h2>
      <Form onSubmit={() => save.mutate()}>
        <div className="columns">
          <TextField
            label="Name"
            required
            maxLength={100}
            readOnly={!canChange}
            value={name}
            onChange={setName}
            error={fieldErrors(save.error)['name']}
          />
          <CurrencyField value={currency} onChange={setCurrency} disabled={!canChange} />
        </div>
        {currency !== household.currency && (
          <p className="small quiet">
            Amounts keep their digits and are not converted: the new currency only says what they mean.
          </p>
        )}
        {canChange ? (
          <div className="form-actions">
            <button type="submit" className="button is-primary" disabled={save.isPending}>
              Save
            </button>
          </div>
        ) : (
          <p className="small quiet">Owners can change this.</p>
        )}
      </Form>
    </section>
  );
}
