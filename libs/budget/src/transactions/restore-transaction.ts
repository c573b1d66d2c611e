import type { HouseholdCall } from '../household-call.js';
import { TransactionWrite } from './transaction-write.js';

/** Brings a deleted transaction back, with the splits whose items are still in its month. */
export class RestoreTransaction extends TransactionWrite {
  constructor(call: HouseholdCall, id: string) {
    super(call, { type: 'RestoreTransaction', id });
  }
}
