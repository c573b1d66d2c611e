import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { meQuery } from '../api/queries.js';
import type { Me } from '../api/types.js';
import { forgetKeptQueries } from '../offline/kept-queries.js';
import { noteSignedIn, noteSignedOut } from './lost-session.js';

/** Signs in by the cookie, which scripts cannot read. */
export async function signIn(credentials: { email: string; password: string }): Promise<Me> {
  const { me } = await dataOf(
    api.POST('/auth/password/sign-in', { body: { ...credentials, client: 'web' } }),
  );
  return enter(me);
}

/** Redeems the link of a sign-up, which signs in as well. */
export async function verify(token: string): Promise<Me> {
  const { me } = await dataOf(api.POST('/auth/password/verify', { body: { token, client: 'web' } }));
  return enter(me);
}

/** What is shown belongs to one person: it goes when another one enters. */
function enter(me: Me): Me {
  const before = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  if (before?.user.id !== me.user.id) queryClient.clear();
  queryClient.setQueryData(meQuery.queryKey, me);
  noteSignedIn();
  return me;
}

export async function signOut(): Promise<void> {
  await dataOf(api.POST('/auth/sign-out'));
  leave();
}

/** Forgets everything that was shown. */
export function leave(): void {
  noteSignedOut();
  queryClient.clear();
  void forgetKeptQueries();
  queryClient.setQueryData(meQuery.queryKey, null);
}

/** Shows another household, here and at the next start. */
export async function changeDefaultHousehold(id: string): Promise<Me> {
  const me = await dataOf(api.PATCH('/me', { body: { default_household_id: id } }));
  queryClient.setQueryData(meQuery.queryKey, me);
  return me;
}
