import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, type Answer, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('me-and-settings', started => (server = started));

describe('settings', () => {
  it('change one by one', async () => {
    const person = await server.person('Dora');
    const { token } = person;
    const defaults = { column_view: 'remaining', location_opt_in: false, theme: 'system' };
    const patch = (body: unknown): Promise<Answer> => server.call('PATCH', '/settings', { token, body });
    assert.deepEqual((await patch({ theme: 'dark' })).body, { ...defaults, theme: 'dark' });
    const all = { column_view: 'planned', location_opt_in: true, theme: 'light' };
    assert.deepEqual((await patch(all)).body, all);
    assert.deepEqual((await patch({})).body, all);
    assert.deepEqual((await server.call('GET', '/settings', { token })).body, all);
    const wrong = [{ theme: 'blue' }, { column_view: null }, { location_opt_in: 'yes' }, { font: 'serif' }];
    for (const body of wrong) assert.deepEqual(refused(await patch(body)), [422, 'validation_failed']);
  });
});
