import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { fieldErrors, hasCode, sentenceOf } from '../api/sentences.js';
import { TextField } from '../ui/field.js';
import { AccountFrame } from './account-frame.js';
import { useNextPage, withNext } from './next-page.js';
import { SendLinkAgain } from './send-link-again.js';
import { Form } from '../ui/form.js';

export default function SignUpPage() {
  const next = useNextPage();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signUp = useMutation({
    mutationFn: () => dataOf(api.POST('/auth/password/sign-up', { body: { name, email, password } })),
    meta: { showsErrors: true },
  });
  if (signUp.isSuccess) return <CheckYourEmail email={email} />;
  const errors = fieldErrors(signUp.error);
  return (
    <AccountFrame title="Create your account">
      <Form onSubmit={() => signUp.mutate()}>
        <TextField
          label="Name"
          autoComplete="name"
          required
          autoFocus
          maxLength={100}
          value={name}
          onChange={setName}
          error={errors['name']}
        />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={setEmail}
          error={errors['email']}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={128}
          hint="At least 10 characters. A few words that belong together only for you are best."
          value={password}
          onChange={setPassword}
          error={errors['password']}
        />
        {signUp.error && !hasCode(signUp.error, 'validation_failed') && (
          <p className="form-error" role="alert">
            {sentenceOf(signUp.error)}
          </p>
        )}
        <button type="submit" className="button is-primary is-wide" disabled={signUp.isPending}>
          Create account
        </button>
      </Form>
      <p className="account-links">
        <Link to={withNext('/sign-in', next)}>Already have an account? Sign in</Link>
      </p>
    </AccountFrame>
  );
}

function CheckYourEmail({ email }: { readonly email: string }) {
  return (
    <AccountFrame title="Check your e-mail">
      <p>
        We sent a link to <strong>{email}</strong>. Open it within 24 hours to finish, and your budget is
        ready.
      </p>
      <p className="quiet">
        Nothing there after a few minutes? Look among the unwanted mail, or have it sent again.
      </p>
      <SendLinkAgain email={email} />
    </AccountFrame>
  );
}
