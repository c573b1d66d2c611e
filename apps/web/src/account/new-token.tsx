import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, type Schemas } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { tokensQuery } from '../api/queries.js';
import { fieldErrors, hasCode, sentenceOf } from '../api/sentences.js';
import { Dialog } from '../ui/dialog.js';
import { SelectField, TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { sayDone } from '../ui/toasts.js';

type Scope = NonNullable<Schemas['CreateTokenBody']['scopes']>[number];

const SCOPES: readonly { readonly scope: Scope; readonly name: string }[] = [
  { scope: 'budget:read', name: 'Read the budget' },
  { scope: 'budget:write', name: 'Change the budget' },
  { scope: 'transactions:read', name: 'Read transactions' },
  { scope: 'transactions:write', name: 'Add and change transactions' },
  { scope: 'households:read', name: 'Read households and members' },
  { scope: 'households:manage', name: 'Manage households and invites' },
  { scope: 'account:read', name: 'Read your account' },
  { scope: 'account:write', name: 'Change your account' },
];

const LIFETIMES = [
  { value: '30', name: '30 days' },
  { value: '90', name: '90 days' },
  { value: '365', name: 'A year' },
  { value: '', name: 'Until I revoke it' },
] as const;

/** Makes a token, whose secret is shown once. */
export default function NewToken({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['budget:read', 'transactions:read']);
  const [days, setDays] = useState('90');
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/tokens', {
          body: { name, scopes: [...scopes], ...(days !== '' && { expires_in_days: Number(days) }) },
        }),
      ),
    meta: { showsErrors: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  if (create.data) return <Secret secret={create.data.secret ?? ''} onClose={onClose} />;
  const errors = fieldErrors(create.error);
  return (
    <Dialog title="New token" onClose={onClose}>
      <Form onSubmit={() => create.mutate()}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={100}
          hint="What it is for, such as “bank script”."
          value={name}
          onChange={setName}
          error={errors['name']}
        />
        <ScopeChoice scopes={scopes} onChange={setScopes} />
        <SelectField label="Valid for" value={days} options={LIFETIMES} onChange={setDays} />
        {create.error && !hasCode(create.error, 'validation_failed') && (
          <p className="form-error" role="alert">
            {sentenceOf(create.error)}
          </p>
        )}
        <div className="form-actions">
          <button
            type="submit"
            className="button is-primary"
            disabled={create.isPending || scopes.length === 0}
          >
            Save
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

interface ScopeChoiceProperties {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function ScopeChoice({ scopes, onChange }: ScopeChoiceProperties) {
  return (
    <fieldset className="choices is-column">
      <legend>It may</legend>
      {SCOPES.map(({ scope, name: scopeName }) => (
        <label key={scope} className="choice">
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={event =>
              onChange(event.target.checked ? [...scopes, scope] : scopes.filter(other => other !== scope))
            }
          />
          {scopeName} <code className="small quiet">{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}

function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Your new token" onClose={onClose}>
      <p>Copy it now: it is shown only this once.</p>
      <TextField label="Token" readOnly value={secret} onFocus={event => event.currentTarget.select()} />
      <div className="form-actions">
        <button
          type="button"
          className="button is-primary"
          onClick={() =>
            void navigator.clipboard.writeText(secret).then(
              () => sayDone('The token is copied.'),
              () => undefined,
            )
          }
        >
          Copy
        </button>
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
