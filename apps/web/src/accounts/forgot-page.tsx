import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { sentenceOf } from '../api/sentences.js';
import { TextField } from '../ui/field.js';
import { AccountFrame } from './account-frame.js';
import { Form } from '../ui/form.js';

export default function ForgotPage() {
  const [email, setEmail] = useState('');
  const send = useMutation({
    mutationFn: () => dataOf(api.POST('/auth/password/forgot', { body: { email } })),
    meta: { showsErrors: true },
  });
  if (send.isSuccess) {
    return (
      <AccountFrame title="Check your e-mail">
        <p>
          If <strong>{email}</strong> has an account, a link to choose a new password is on its way. It works
          for one hour.
        </p>
        <p className="account-links">
          <Link to="/sign-in">Back to signing in</Link>
        </p>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title="Forgot your password?">
      <Form onSubmit={() => send.mutate()}>
        <p>Tell us your address, and we send you a link to choose a new one.</p>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={setEmail}
          error={send.error ? sentenceOf(send.error) : undefined}
        />
        <button type="submit" className="button is-primary is-wide" disabled={send.isPending}>
          Send link
        </button>
      </Form>
      <p className="account-links">
        <Link to="/sign-in">Back to signing in</Link>
      </p>
    </AccountFrame>
  );
}
