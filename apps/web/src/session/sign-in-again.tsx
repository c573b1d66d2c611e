import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../api/query-client.js';
import { meQuery } from '../api/queries.js';
import type { Me } from '../api/types.js';
import { Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/field.js';
import { resumeSession } from './lost-session.js';
import { signIn } from './session-commands.js';
import { FormError } from '../ui/form-error.js';
import { Form } from '../ui/form.js';

/** Asks for the password above the page whose session ended, and lets everything there go on. */
export default function SignInAgain() {
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  const [password, setPassword] = useState('');
  const signInAgain = useMutation({
    mutationFn: signIn,
    meta: { showsErrors: true },
    onSuccess: resumeSession,
  });
  if (!me) return null;
  const { email } = me.user;
  return (
    <Dialog title="Sign in again" isUrgent>
      <Form onSubmit={() => signInAgain.mutate({ email, password })}>
        <p>Your session has ended. Sign in to go on where you are; nothing you typed is lost.</p>
        <TextField label="E-mail" type="email" value={email} readOnly autoComplete="username" />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={setPassword}
        />
        <FormError error={signInAgain.error} />
        <div className="form-actions">
          <button type="button" className="button" onClick={() => window.location.reload()}>
            Use another account
          </button>
          <button type="submit" className="button is-primary" disabled={signInAgain.isPending}>
            Sign in
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
