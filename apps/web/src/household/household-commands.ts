import { dataOf, type Schemas } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { householdInvitesQuery, membersQuery, meQuery } from '../api/queries.js';

const readMeAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: meQuery.queryKey });

export async function createHousehold(body: {
  name: string;
  currency: string;
}): Promise<Schemas['Household']> {
  const household = await dataOf(api.POST('/households', { body }));
  await readMeAgain();
  return household;
}

export async function changeHousehold(
  householdId: string,
  body: Schemas['ChangeHouseholdBody'],
): Promise<void> {
  await dataOf(api.PATCH('/households/{householdId}', { params: { path: { householdId } }, body }));
  await readMeAgain();
}

/** Deletes a household for good. @param name its name, typed by the person */
export async function deleteHousehold(householdId: string, name: string): Promise<void> {
  await dataOf(
    api.DELETE('/households/{householdId}', { params: { path: { householdId } }, body: { name } }),
  );
  await readMeAgain();
}

export async function changeRole(householdId: string, userId: string, role: Schemas['Role']): Promise<void> {
  await dataOf(
    api.PATCH('/households/{householdId}/members/{userId}', {
      params: { path: { householdId, userId } },
      body: { role },
    }),
  );
  await queryClient.invalidateQueries({ queryKey: membersQuery(householdId).queryKey });
  await readMeAgain();
}

/** Removes a member; oneself leaves. */
export async function removeMember(householdId: string, userId: string): Promise<void> {
  await dataOf(
    api.DELETE('/households/{householdId}/members/{userId}', { params: { path: { householdId, userId } } }),
  );
  await queryClient.invalidateQueries({ queryKey: membersQuery(householdId).queryKey });
  await readMeAgain();
}

export async function sendInvite(householdId: string, email: string): Promise<void> {
  await dataOf(
    api.POST('/households/{householdId}/invites', { params: { path: { householdId } }, body: { email } }),
  );
  await queryClient.invalidateQueries({ queryKey: householdInvitesQuery(householdId).queryKey });
}

export async function revokeInvite(householdId: string, inviteId: string): Promise<void> {
  await dataOf(
    api.DELETE('/households/{householdId}/invites/{inviteId}', {
      params: { path: { householdId, inviteId } },
    }),
  );
  await queryClient.invalidateQueries({ queryKey: householdInvitesQuery(householdId).queryKey });
}
