import { useState } from 'react';
import { useNavigate } from 'react-router';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { leave } from '../session/session-commands.js';
import { Confirmation } from '../ui/confirmation.js';
import { TextField } from '../ui/field.js';
import { sayDone } from '../ui/toasts.js';

/** Deletes the account. */
export function Deletion() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  return (
    <section className="card" aria-labelledby="deletion">
      <h2 id="deletion">Delete account</h2>
      <p className="quiet small">
        Your account and the households that only you are in are erased for good. Where others stay, what you
        recorded stays as that of a former member.
      </p>
      <div className="form-actions is-start">
        <button type="button" className="button is-danger" onClick={() => setOpen(true)}>
          Delete account
        </button>
      </div>
      {isOpen && (
        <Confirmation
          title="Delete account"
          text="Nothing brings it back. Enter your password to go on."
          action="Delete"
          run={() => dataOf(api.DELETE('/me', { body: { password } }))}
          onDone={() => {
            leave();
            sayDone('Your account is deleted. Take care!');
            void navigate('/sign-in', { replace: true });
          }}
          onClose={() => setOpen(false)}
        >
          <TextField
            label="Password"
            type="password"
            required
            autoFocus
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        </Confirmation>
      )}
    </section>
  );
}
