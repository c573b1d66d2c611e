import { send } from '../api/untyped.js';

/** Mails a link to a new address, which becomes the person's when it is opened. */
export async function requestNewEmail(body: { email: string; password: string }): Promise<void> {
  await send('POST', '/auth/email', { body });
}

export async function confirmEmail(token: string): Promise<void> {
  await send('POST', '/auth/email/confirm', { body: { token } });
}
