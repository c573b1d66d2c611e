import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { APP_BASE } from '../api/base.js';
import { householdInvitesQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import { dateName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { sayDone, sayFailed } from '../ui/toasts.js';
import { revokeInvite, sendInvite } from './household-commands.js';

/** Invites somebody by mail, and shows the invites that wait. */
export function Invites() {
  const { household } = useSession();
  const { data: invites } = useQuery(householdInvitesQuery(household.id));
  const [email, setEmail] = useState('');
  const invite = useMutation({
    mutationFn: () => sendInvite(household.id, email),
    meta: { showsErrors: true },
    onSuccess: () => {
      sayDone(`Invited ${email}.`);
      setEmail('');
    },
  });
  const revoke = useMutation({
    mutationFn: (inviteId: string) => revokeInvite(household.id, inviteId),
    onSuccess: () => sayDone('The invite was taken back.'),
  });
  return (
    <section className="card" aria-labelledby="invites">
      <h2 id="invites">Invite somebody</h2>
      <Form className="inline-form" onSubmit={() => invite.mutate()}>
        <TextField
          label="E-mail"
          type="email"
          required
          value={email}
          onChange={setEmail}
          error={invite.error ? sentenceOf(invite.error) : undefined}
        />
        <button type="submit" className="button is-primary" disabled={invite.isPending}>
          Invite
        </button>
      </Form>
      {invites && invites.length > 0 && (
        <ul className="lines">
          {invites.map(({ id, email: invited, inviter_name, expires_at, path }) => (
            <li key={id}>
              <div className="line-text">
                <p>{invited}</p>
                <p className="small quiet">
                  by {inviter_name}, until {dateName(expires_at.slice(0, 10))}
                </p>
              </div>
              <div className="line-actions">
                <button type="button" className="button is-small" onClick={() => void copyLink(path)}>
                  Copy link
                </button>
                <button
                  type="button"
                  className="button is-small"
                  disabled={revoke.isPending}
                  onClick={() => revoke.mutate(id)}
                >
                  Take back
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

async function copyLink(path: string): Promise<void> {
  const link = `${window.location.origin}${APP_BASE.replace(/\/$/, '')}${path}`;
  try {
    await navigator.clipboard.writeText(link);
    sayDone('The link is copied. It works only for the invited address.');
  } catch {
    // A page without https may not use the clipboard.
    sayFailed(`The link could not be copied. It is ${link}`);
  }
}
