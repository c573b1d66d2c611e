import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { meQuery } from '../api/queries.js';
import { hasCode } from '../api/sentences.js';
import { signIn } from '../session/session-commands.js';
import { TextField } from '../ui/field.js';
import { AccountFrame } from './account-frame.js';
import { useNextPage, withNext } from './next-page.js';
import { SendLinkAgain } from './send-link-again.js';
import { FormError } from '../ui/form-error.js';
import { Form } from '../ui/form.js';

export default function SignInPage() {
  const next = useNextPage();
  // What is known already; asking would only be refused.
  const me = useQuery({ ...meQuery, enabled: false });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useMutation({ mutationFn: signIn, meta: { showsErrors: true } });
  if (me.data) return <Navigate to={next ?? '/'} replace />;
  return (
    <AccountFrame title="Sign in">
      <Form onSubmit={() => enter.mutate({ email, password })}>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={setEmail}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <FormError error={enter.error} />
        {hasCode(enter.error, 'email_not_verified') && <SendLinkAgain email={email} />}
        <button type="submit" className="button is-primary is-wide" disabled={enter.isPending}>
          Sign in
        </button>
      </Form>
      <p className="account-links">
        <Link to="/forgot">Forgot your password?</Link>
        <Link to={withNext('/sign-up', next)}>New here? Sign up</Link>
      </p>
    </AccountFrame>
  );
}
