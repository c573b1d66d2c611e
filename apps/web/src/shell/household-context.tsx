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
