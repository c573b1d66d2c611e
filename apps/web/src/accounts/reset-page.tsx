import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { hasCode, sentenceOf } from '../api/sentences.js';
import { leave } from '../session/session-commands.js';
import { TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { sayDone } from '../ui/toasts.js';
import { AccountFrame } from './account-frame.js';

export default function ResetPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const token = search.get('token') ?? '';
  const reset = useMutation({
    mutationFn: () => dataOf(api.POST('/auth/password/reset', { body: { token, password } })),
    meta: { showsErrors: true },
    onSuccess: () => {
      // A new password ends all sessions, this browser's as well.
      leave();
      sayDone('Your new password is set. Sign in with it.');
      void navigate('/sign-in', { replace: true });
    },
  });
  return (
    <AccountFrame title="Choose a new password">
      <Form onSubmit={() => reset.mutate()}>
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          autoFocus
          minLength={10}
          maxLength={128}
          hint="At least 10 characters. You will be signed out everywhere else."
          value={password}
          onChange={setPassword}
          error={reset.error ? sentenceOf(reset.error) : undefined}
        />
        {hasCode(reset.error, 'invalid_link') && <Link to="/forgot">Have a new link sent</Link>}
        <button type="submit" className="button is-primary is-wide" disabled={reset.isPending}>
          Save
        </button>
      </Form>
    </AccountFrame>
  );
}
