import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { ownInvitesQuery } from '../api/queries.js';
import { changeDefaultHousehold } from '../session/session-commands.js';
import { sayDone } from '../ui/toasts.js';

/** Joins a household and shows it. */
export async function acceptInvite(inviteId: string): Promise<void> {
  const household = await dataOf(api.POST('/invites/{inviteId}/accept', { params: { path: { inviteId } } }));
  await changeDefaultHousehold(household.id);
  await queryClient.invalidateQueries({ queryKey: ownInvitesQuery.queryKey });
  sayDone(`Welcome to ${household.name}.`);
}
