import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, NOBODY, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('sign-in', started => (server = started));

describe('sessions', () => {
  it("of somebody else are not there, and a session's id is a ULID", async () => {
    const [fay, gil] = [await server.person('Fay'), await server.person('Gil')];
    const { body } = await server.call('GET', '/auth/sessions', { token: gil.token });
    const [session] = body['sessions'] as { id: string }[];
    const path = `/auth/sessions/${session?.id ?? ''}`;
    assert.deepEqual(refused(await server.call('DELETE', path, { token: fay.token })), [404, 'not_found']);
    assert.equal(await server.statusOf(gil.token), 200);
    const unknown = await server.call('DELETE', `/auth/sessions/${NOBODY}`, { token: fay.token });
    assert.equal(unknown.status, 404);
    const malformed = await server.call('DELETE', '/auth/sessions/1', { token: fay.token });
    assert.deepEqual(refused(malformed), [422, 'validation_failed']);
  });
});
