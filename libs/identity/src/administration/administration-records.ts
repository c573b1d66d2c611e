// Apart from what administers users: the command line reads them without waiting for Nest.
import type { Collection, Document } from '#storage/documents/documents';

const USER_ACTIONS = ['confirm', 'reset-link', 'disable', 'enable', 'erase'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

/** An operator's action on a user: ids, the action, and who did it. */
export interface AdministrationRecord extends Document {
  readonly action: UserAction;
  readonly userId: string;
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export const ADMINISTRATION_LOG: Collection<AdministrationRecord> = {
  name: 'administration_log',
  durability: 'durable',
  indexes: [],
};
