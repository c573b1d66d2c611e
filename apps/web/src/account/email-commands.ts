import { dataOf } from '#client/client';
import { api } from '../api/client.js';

/** Mails a link to a new address, which becomes the person's when it is opened. */
export async function requestNewEmail(body: { email: string; password: string }): Promise<void> {
  await dataOf(api.POST('/auth/email', { body }));
}

export async function confirmEmail(token: string): Promise<void> {
  await dataOf(api.POST('/auth/email/confirm', { body: { token } }));
}
