import type { Household, Me } from '../api/types.js';

/** The household that the app shows to a person. */
export function shownHouseholdOf(me: Me): Household {
  const household = me.households.find(({ id }) => id === me.default_household_id) ?? me.households[0];
  if (!household) throw new Error('Every user has a personal household.');
  return household;
}
