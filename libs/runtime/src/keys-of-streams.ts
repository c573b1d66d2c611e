import type { Documents } from '#documents/documents';
import { KeysElsewhere } from '#identity/repeatable-changes';
import { IdempotencyKeys } from '#streams/idempotency-keys';

/** The keys of commands that were appended to the streams of households. */
export class KeysOfStreams extends KeysElsewhere {
  private readonly keys: IdempotencyKeys;

  constructor(documents: Documents) {
    super();
    this.keys = new IdempotencyKeys(documents);
  }

  override hold(householdId: string, userId: string, clientKey: string): Promise<boolean> {
    return this.keys.remembers(householdId, userId, clientKey);
  }
}
