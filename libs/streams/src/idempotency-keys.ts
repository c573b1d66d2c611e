import type { Collection, Document, Documents } from '#documents/documents';
import type { DecodedEvent } from '#ledger/event-codec';
import type { CommandEnvelope } from './command-envelope.js';
import { CommandRefused } from './command-failures.js';

/** How long a key is remembered after its command was recorded. */
export const IDEMPOTENCY_KEY_MS = 24 * 60 * 60 * 1000;

/** Where a command's events begin in the stream. */
export interface RecordedCommand {
  readonly firstRevision: number;
}

/** `HOUSEHOLD|USER|KEY`. Made from the events' metadata, so that it is recorded with the append itself. */
interface IdempotencyKeyDocument extends Document, RecordedCommand {
  readonly commandHash: string;
}

/** The key was used for another command within its time. */
export class IdempotencyConflict extends CommandRefused {
  override readonly name = 'IdempotencyConflict';
  readonly code = 'idempotency_key_conflict';
}

/** Which commands were recorded under which `Idempotency-Key`. */
export class IdempotencyKeys {
  static readonly collection: Collection<IdempotencyKeyDocument> = {
    name: 'idempotency_keys',
    durability: 'derived',
    indexes: [],
  };

  constructor(private readonly documents: Documents) {}

  /**
   * The command that was recorded under the envelope's key, or null.
   * @throws IdempotencyConflict where it was another command
   */
  async find(householdId: string, envelope: CommandEnvelope): Promise<RecordedCommand | null> {
    if (!envelope.idempotency) return null;
    const key = keyOf(householdId, envelope.actor.userId, envelope.idempotency.key);
    const known = await this.documents.get(IdempotencyKeys.collection, key);
    if (!known) return null;
    if (known.commandHash !== envelope.idempotency.commandHash) {
      throw new IdempotencyConflict('This Idempotency-Key was used for another command.');
    }
    return { firstRevision: known.firstRevision };
  }

  /** Whether a command is remembered under a user's key. @throws DocumentsUnavailable */
  async remembers(householdId: string, userId: string, key: string): Promise<boolean> {
    return (await this.documents.get(IdempotencyKeys.collection, keyOf(householdId, userId, key))) !== null;
  }

  /** Remembers the keys of recorded commands that are not forgotten yet. @throws DocumentsUnavailable */
  async record(householdId: string, events: readonly DecodedEvent[]): Promise<void> {
    const known: IdempotencyKeyDocument[] = [];
    for (const { metadata, revision, at, by } of events) {
      // Only a command's first event names its key.
      if (!metadata.idempotency) continue;
      const expiresAt = Date.parse(at) + IDEMPOTENCY_KEY_MS;
      if (expiresAt <= Date.now()) continue;
      const { key, commandHash } = metadata.idempotency;
      const document = { key: keyOf(householdId, by, key), revision, commandHash, expiresAt };
      known.push({ ...document, firstRevision: revision });
    }
    if (known.length > 0) await this.documents.put(IdempotencyKeys.collection, known);
  }
}

function keyOf(householdId: string, userId: string, key: string): string {
  return `${householdId}|${userId}|${key}`;
}
