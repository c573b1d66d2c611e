import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ok, useService, type Household } from './household.scenario.js';

describe('a guest who accepts an invite', () => {
  const service = useService();

  /** Accepts by the link of the mail alone. @returns the guest's default household afterwards */
  async function joined(guest: Household, home: Household): Promise<string> {
    const { email } = guest.user;
    const path = `/households/${home.id}/invites`;
    const { token } = ok(await home.post<{ token: string }>(path, { email }), 201);
    const found = ok(await guest.get<{ invite_id: string }>(`/invites/lookup?token=${token}`));
    ok(await guest.post(`/invites/${found.invite_id}/accept`));
    return ok(await guest.get<{ default_household_id: string }>('/me')).default_household_id;
  }

  it('sees the joined household where the own one is empty', async () => {
    const home = await service.stranger('Host');
    const guest = await service.stranger('Guest');
    assert.equal(await joined(guest, home), home.id);
  });

  it('goes on with the own household where something was recorded in it, whatever became of it', async () => {
    const home = await service.stranger('Host');
    const guest = await service.stranger('Guest');
    const spent = await guest.spend({ amount: 5 });
    ok(await guest.delete(`/transactions/${spent.transaction.id}`));
    assert.equal(await joined(guest, home), guest.id);
  });
});
