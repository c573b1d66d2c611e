// Apart from what administers users: the command line reads them without waiting for Nest.
import type { Collection, Document } from '#storage/documents/documents';

export type UserAction = 'confirm' | 'reset-link' | 'disable' | 'enable' | 'erase';

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
