import { useMutation, useQuery } from '@tanstack/react-query';
import { dataOf } from '#client/client';
import { acceptInvite } from '../accounts/accept-invite.js';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { ownInvitesQuery } from '../api/queries.js';
import { sayDone } from '../ui/toasts.js';

/** Invites that wait for the person, above whatever page is shown. */
export function OwnInvites() {
  const { data: invites = [] } = useQuery(ownInvitesQuery);
  const accept = useMutation({ mutationFn: acceptInvite });
  const decline = useMutation({
    mutationFn: (inviteId: string) =>
      dataOf(api.POST('/invites/{inviteId}/decline', { params: { path: { inviteId } } })),
    onSuccess: () => {
      sayDone('Invite declined.');
      return queryClient.invalidateQueries({ queryKey: ownInvitesQuery.queryKey });
    },
  });
  return invites.map(invite => (
    <div key={invite.id} className="banner" role="status">
      <p>
        <strong>{invite.inviter_name}</strong> invites you to the budget{' '}
        <strong>{invite.household_name}</strong>.
      </p>
      <div className="banner-actions">
        <button
          type="button"
          className="button is-primary"
          disabled={accept.isPending}
          onClick={() => accept.mutate(invite.id)}
        >
          Accept invite
        </button>
        <button
          type="button"
          className="button"
          disabled={decline.isPending}
          onClick={() => decline.mutate(invite.id)}
        >
          Decline
        </button>
      </div>
    </div>
  ));
}
