import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('me-and-settings', started => (server = started));

describe('settings', () => {
  it('have defaults', async () => {
    const person = await server.person('Fresh');
    const { status, body } = await server.as(person).get('/settings');
    const defaults = { column_view: 'remaining', location_opt_in: false, theme: 'system' };
    assert.deepEqual([status, body], [200, defaults]);
  });

  it('are each user’s own', async () => {
    const [person, other] = [await server.person('Dark'), await server.person('Light')];
    await server.as(person).patch('/settings', { theme: 'dark' });
    assert.equal((await server.as(person).get('/settings')).body['theme'], 'dark');
    assert.equal((await server.as(other).get('/settings')).body['theme'], 'system');
  });
});
