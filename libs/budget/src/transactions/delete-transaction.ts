import type { HouseholdCall } from '../household-call.js';
import { TransactionWrite } from './transaction-write.js';

/** Deletes a transaction softly: it can be restored. */
export class DeleteTransaction extends TransactionWrite {
  constructor(call: HouseholdCall, id: string) {
    super(call, { type: 'DeleteTransaction', id });
  }
}
