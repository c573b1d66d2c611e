import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { dataOf, type Schemas } from '#client/client';
import { api } from '../api/client.js';
import { meQuery } from '../api/queries.js';
import { hasCode, sentenceOf } from '../api/sentences.js';
import { signOut } from '../session/session-commands.js';
import { acceptInvite } from './accept-invite.js';
import { AccountFrame } from './account-frame.js';
import { withNext } from './next-page.js';
import { FormError } from '../ui/form-error.js';

type LookedUpInvite = Schemas['LookedUpInvite'];

const WHY_NOT: Readonly<Record<Exclude<LookedUpInvite['status'], 'pending'>, string>> = {
  accepted: 'This invite was accepted already.',
  declined: 'This invite was declined.',
  revoked: 'This invite was taken back.',
  replaced: 'A newer invite took its place: use the link of the latest mail.',
  expired: 'This invite has expired. Ask for another one.',
};

export default function InvitePage() {
  const { token = '' } = useParams();
  const me = useQuery(meQuery);
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: ({ signal }) => dataOf(api.GET('/invites/lookup', { params: { query: { token } }, signal })),
  });
  if (invite.error) {
    return (
      <AccountFrame title="This invite does not work">
        <p role="alert">
          {hasCode(invite.error, 'not_found', 'validation_failed')
            ? 'The link is not complete, or the invite is gone.'
            : sentenceOf(invite.error)}
        </p>
        <Link className="button" to="/">
          Go to your budget
        </Link>
      </AccountFrame>
    );
  }
  if (!invite.data || me.isPending) {
    return (
      <AccountFrame title="One moment">
        <p role="status">Looking for your invite …</p>
      </AccountFrame>
    );
  }
  return <FoundInvite invite={invite.data} path={`/invites/${token}`} email={me.data?.user.email ?? null} />;
}

interface FoundInviteProperties {
  readonly invite: LookedUpInvite;
  readonly path: string;
  /** The address of the signed-in person. */
  readonly email: string | null;
}

function FoundInvite({ invite, path, email }: FoundInviteProperties) {
  return (
    <AccountFrame title={`Join ${invite.household_name}`}>
      <p>
        <strong>{invite.inviter_name}</strong> invites you to keep the budget of{' '}
        <strong>{invite.household_name}</strong> together.
      </p>
      {invite.status !== 'pending' ? (
        <>
          <p role="alert">{WHY_NOT[invite.status]}</p>
          <Link className="button" to="/">
            Go to your budget
          </Link>
        </>
      ) : email === null ? (
        <>
          <p className="quiet">
            The invite is for {invite.email}. Sign in with that address, or sign up with it.
          </p>
          <div className="form-actions is-start">
            <Link className="button is-primary" to={withNext('/sign-in', path)}>
              Sign in
            </Link>
            <Link className="button" to={withNext('/sign-up', path)}>
              Sign up
            </Link>
          </div>
        </>
      ) : (
        <Acceptance invite={invite} email={email} />
      )}
    </AccountFrame>
  );
}

function Acceptance({ invite, email }: { readonly invite: LookedUpInvite; readonly email: string }) {
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: () => acceptInvite(invite.invite_id),
    meta: { showsErrors: true },
    onSuccess: () => navigate('/', { replace: true }),
  });
  const leaveFirst = useMutation({ mutationFn: signOut });
  return (
    <>
      <p className="quiet">
        The invite is for {invite.email}; you are signed in as {email}.
      </p>
      <FormError error={accept.error} />
      <div className="form-actions is-start">
        <button
          type="button"
          className="button is-primary"
          disabled={accept.isPending}
          onClick={() => accept.mutate()}
        >
          Accept invite
        </button>
        <button
          type="button"
          className="button"
          disabled={leaveFirst.isPending}
          onClick={() => leaveFirst.mutate()}
        >
          Use another account
        </button>
      </div>
    </>
  );
}
