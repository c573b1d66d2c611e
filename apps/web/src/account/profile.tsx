import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { meQuery, sessionsQuery } from '../api/queries.js';
import { fieldErrors, hasCode, sentenceOf } from '../api/sentences.js';
import { useSession } from '../shell/household-context.js';
import { Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { sayDone } from '../ui/toasts.js';
import { requestNewEmail } from './email-commands.js';

/** Name, e-mail and password. */
export function Profile() {
  const { me } = useSession();
  const [name, setName] = useState(me.user.name);
  const [open, setOpen] = useState<'email' | 'password' | null>(null);
  const save = useMutation({
    mutationFn: () => dataOf(api.PATCH('/me', { body: { name } })),
    onSuccess: changed => {
      queryClient.setQueryData(meQuery.queryKey, changed);
      sayDone('Saved.');
    },
  });
  return (
    <section className="card" aria-labelledby="profile">
      <h2 id="profile">You</h2>
      <Form className="inline-form" onSubmit={() => save.mutate()}>
        <TextField
          label="Name"
          required
          maxLength={100}
          autoComplete="name"
          value={name}
          onChange={setName}
          error={fieldErrors(save.error)['name']}
        />
        <button type="submit" className="button is-primary" disabled={save.isPending}>
          Save
        </button>
      </Form>
      <ul className="lines">
        <li>
          <div className="line-text">
            <p>{me.user.email}</p>
            <p className="small quiet">You sign in with this address.</p>
          </div>
          <button type="button" className="button is-small" onClick={() => setOpen('email')}>
            Change e-mail
          </button>
        </li>
        <li>
          <div className="line-text">
            <p>Password</p>
            <p className="small quiet">A new one signs you out everywhere else.</p>
          </div>
          <button type="button" className="button is-small" onClick={() => setOpen('password')}>
            Change password
          </button>
        </li>
      </ul>
      {open === 'email' && <ChangeEmail onClose={() => setOpen(null)} />}
      {open === 'password' && <ChangePassword onClose={() => setOpen(null)} />}
    </section>
  );
}

function ChangeEmail({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => requestNewEmail({ email, password }),
    meta: { showsErrors: true },
  });
  if (change.isSuccess) {
    return (
      <Dialog title="Check your e-mail" onClose={onClose}>
        <p>
          We sent a link to <strong>{email}</strong>. Your address changes when you open it, within 24 hours.
        </p>
      </Dialog>
    );
  }
  const errors = fieldErrors(change.error);
  return (
    <Dialog title="Change address" onClose={onClose}>
      <Form onSubmit={() => change.mutate()}>
        <TextField
          label="E-mail"
          type="email"
          required
          autoFocus
          autoComplete="email"
          value={email}
          onChange={setEmail}
          error={errors['email']}
        />
        <TextField
          label="Password"
          type="password"
          required
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={passwordError(change.error)}
        />
        <div className="form-actions">
          <button type="submit" className="button is-primary" disabled={change.isPending}>
            Save
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () =>
      dataOf(api.PUT('/auth/password', { body: { current_password: current, new_password: next } })),
    meta: { showsErrors: true },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      onClose();
      sayDone('Your password is changed. You are signed out everywhere else.');
    },
  });
  return (
    <Dialog title="Change password" onClose={onClose}>
      <Form onSubmit={() => change.mutate()}>
        <TextField
          label="Current password"
          type="password"
          required
          autoFocus
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={passwordError(change.error)}
        />
        <TextField
          label="New password"
          type="password"
          required
          minLength={10}
          maxLength={128}
          autoComplete="new-password"
          hint="At least 10 characters."
          value={next}
          onChange={setNext}
          error={fieldErrors(change.error)['new_password']}
        />
        <div className="form-actions">
          <button type="submit" className="button is-primary" disabled={change.isPending}>
            Save
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

/** What is wrong with the present password; other errors of the form are about its other fields. */
function passwordError(error: unknown): string | undefined {
  if (!error || hasCode(error, 'validation_failed')) return undefined;
  return hasCode(error, 'invalid_credentials') ? 'This is not your password.' : sentenceOf(error);
}
