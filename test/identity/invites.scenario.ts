import type { Answer, IdentityServer, Person } from './identity.scenario.js';

/** Calls about invites, on the server that a spec runs on. */
export function inviteCalls(server: () => IdentityServer) {
  return {
    answerInvite: (person: Person, id: unknown, how: 'accept' | 'decline'): Promise<Answer> =>
      server().call('POST', `/invites/${String(id)}/${how}`, { token: person.token }),

    lookUp: (token: unknown): Promise<Answer> =>
      server().call('GET', `/invites/lookup?token=${encodeURIComponent(String(token))}`),

    revoke: (person: Person, household: string, id: unknown): Promise<Answer> =>
      server().call('DELETE', `/households/${household}/invites/${String(id)}`, { token: person.token }),

    /** The invites at a path, as a person sees them. */
    listed: async (path: string, { token }: Person): Promise<Record<string, unknown>[]> =>
      (await server().call('GET', path, { token })).body['invites'] as Record<string, unknown>[],
  };
}
