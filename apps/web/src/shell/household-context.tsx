import { createContext, use } from 'react';
import type { LedgerClient } from '#client/client';
import type { Household, Me, Settings } from '../api/types.js';
import type { Money } from '../format/money.js';

/** Who uses the app, and the household that it shows. */
export interface Session {
  readonly me: Me;
  readonly household: Household;
  readonly settings: Settings;
  readonly money: Money;
  /** Calls on the household. */
  readonly api: LedgerClient;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of a page inside the shell. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('This component belongs inside the shell.');
  return session;
}

/** The household that the app shows to a person. */
export function shownHouseholdOf(me: Me): Household {
  const household = me.households.find(({ id }) => id === me.default_household_id) ?? me.households[0];
  if (!household) throw new Error('Every user has a personal household.');
  return household;
}
