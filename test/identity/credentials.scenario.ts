import assert from 'node:assert/strict';
import { PASSWORD, type Answer, type IdentityServer, type Person } from './identity.scenario.js';

export const NEW_PASSWORD = 'a wholly other password';

/** Calls about passwords, on the server that a spec runs on. */
export function passwordCalls(server: () => IdentityServer) {
  const post = (path: string, body: unknown): Promise<Answer> =>
    server().call('POST', `/auth/password/${path}`, { headers: server().network(), body });
  const forgot = (email: string): Promise<Answer> => post('forgot', { email });
  return {
    post,
    forgot,
    reset: (token: string, password = NEW_PASSWORD): Promise<Answer> => post('reset', { token, password }),
    signIn: (email: string, password = PASSWORD): Promise<Answer> => server().signIn(email, { password }),
    /** The token of a new reset link. */
    async linkFor({ email }: Person): Promise<string> {
      await forgot(email);
      return server().mailedToken(email, 'reset');
    },
  };
}

/** Calls about a change of address, on the server that a spec runs on. */
export function emailCalls(server: () => IdentityServer) {
  const request = ({ token }: Pick<Person, 'token'>, email: string, password = PASSWORD): Promise<Answer> =>
    server().call('POST', '/auth/email', { token, headers: server().network(), body: { email, password } });
  return {
    request,
    confirm: (token: string, at = server()): Promise<Answer> =>
      at.call('POST', '/auth/email/confirm', { body: { token } }),
    /** The token of a new confirmation link. */
    async linkFor(person: Person, email: string): Promise<string> {
      const answer = await request(person, email);
      assert.deepEqual([answer.status, answer.body], [202, {}]);
      return server().mailedToken(email, 'confirm-email');
    },
  };
}
