import type { Collection, Document, Documents, Write } from './documents.js';
import { insertIfAbsent } from './insert-if-absent.js';

/** How long a key is remembered after its command. */
export const IDEMPOTENCY_KEY_MS = 24 * 60 * 60 * 1000;

/** How long a key stays reserved for a command with an unknown outcome: longer than any command takes. */
const RESERVED_MS = 60_000;

/** A command that its client may repeat. */
export interface KeyedCommand {
  readonly userId: string;
  /** The `Idempotency-Key` as the client sent it. */
  readonly clientKey: string;
  /** Tells the command from others under the same key. */
  readonly commandHash: string;
}

/** What became of a command. */
export interface Settlement {
  /** Where its events begin in the stream; null where it recorded none. */
  readonly firstRevision: number | null;
  /** The id of what it made; null where it made nothing. */
  readonly made: string | null;
  /** Whether everything is done that follows it. */
  readonly finished: boolean;
}

/** What is known of a command that changed nothing. */
export const CHANGED_NOTHING: Settlement = { firstRevision: null, made: null, finished: true };

/** `SCOPE|USER|KEY`. Its revision says how far the command has come. */
interface IdempotencyKeyDocument extends Document, Partial<Settlement> {
  readonly commandHash: string;
}

const RESERVED = 1;
const UNFINISHED = 2;
const FINISHED = 3;

/** The key was used for another command within its time. */
export class IdempotencyConflict extends Error {
  override readonly name = 'IdempotencyConflict';
  /** Read by the HTTP layer, as `code` and `details` are. */
  readonly refusal = true;
  readonly code = 'idempotency_key_conflict';
  readonly details = {};
}

/**
 * Which commands were carried out under which `Idempotency-Key`, of all writes: a key belongs to a user in a scope,
 * which is the record that the command changes, such as a household with its budget.
 *
 * A key is reserved before its command. What the command changes names the key as well (the first event of a stream,
 * the latest command of a record), and is changed at the revision that was read. So the caller reads that first, and
 * then asks here: of calls at the same time one makes the change, and if its process died before it responded, the next
 * reader of the change settles the key.
 */
export class IdempotencyKeys {
  static readonly collection: Collection<IdempotencyKeyDocument> = {
    name: 'idempotency_keys',
    durability: 'durable',
    indexes: [],
  };

  constructor(
    private readonly documents: Documents,
    /** Milliseconds since the epoch. */
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Reserves the key of a command. @returns what became of it; null where it is to be carried out
   * @throws IdempotencyConflict where the key is another command's, DocumentsUnavailable
   */
  async reserve(scope: string, command: KeyedCommand): Promise<Settlement | null> {
    const key = keyOf(scope, command);
    const { commandHash } = command;
    for (;;) {
      const known = await this.documents.get(IdempotencyKeys.collection, key);
      if (known !== null) return settlementOf(known, command);
      const reserved = { key, revision: RESERVED, commandHash, expiresAt: this.now() + RESERVED_MS };
      if (await insertIfAbsent(this.documents, IdempotencyKeys.collection, reserved)) return null;
    }
  }

  /** As `reserve`, but leaves the key as it is. @throws IdempotencyConflict, DocumentsUnavailable */
  async look(scope: string, command: KeyedCommand): Promise<Settlement | null> {
    const known = await this.documents.get(IdempotencyKeys.collection, keyOf(scope, command));
    return known && settlementOf(known, command);
  }

  /** What became of a command that holds its key; null where that is not known. @throws DocumentsUnavailable */
  async find(scope: string, command: KeyedCommand): Promise<Settlement | null> {
    const known = await this.documents.get(IdempotencyKeys.collection, keyOf(scope, command));
    return known?.commandHash === command.commandHash ? settlementIn(known) : null;
  }

  /** Frees the key of a command that was refused; one that was carried out keeps it. @throws DocumentsUnavailable */
  async release(scope: string, command: KeyedCommand): Promise<void> {
    await this.documents.remove(IdempotencyKeys.collection, keyOf(scope, command), RESERVED);
  }

  /**
   * Remembers what became of commands, until a day after they were carried out. @throws DocumentsUnavailable
   * @param at when, in milliseconds since the epoch; the present time when absent
   */
  async settle(
    scope: string,
    commands: readonly (KeyedCommand & Settlement & { readonly at?: number })[],
  ): Promise<void> {
    const { collection, documents } = this.settled(scope, commands);
    if (documents.length > 0) await this.documents.put(collection, documents);
  }

  /** What `settle` writes, to be written together with what the commands made. */
  settled(
    scope: string,
    commands: readonly (KeyedCommand & Settlement & { readonly at?: number })[],
  ): Write<IdempotencyKeyDocument> {
    const now = this.now();
    const documents = commands.flatMap((command): IdempotencyKeyDocument[] => {
      const { commandHash, firstRevision, made, finished, at = now } = command;
      const expiresAt = at + IDEMPOTENCY_KEY_MS;
      if (expiresAt <= now) return [];
      const revision = finished ? FINISHED : UNFINISHED;
      return [
        { key: keyOf(scope, command), revision, commandHash, firstRevision, made, finished, expiresAt },
      ];
    });
    return { collection: IdempotencyKeys.collection, documents };
  }
}

/** @throws IdempotencyConflict */
function settlementOf(known: IdempotencyKeyDocument, { commandHash }: KeyedCommand): Settlement | null {
  if (known.commandHash === commandHash) return settlementIn(known);
  throw new IdempotencyConflict('This Idempotency-Key was used for another command.');
}

function settlementIn(known: IdempotencyKeyDocument): Settlement | null {
  if (known.revision === RESERVED) return null;
  const { firstRevision = null, made = null, finished = true } = known;
  return { firstRevision, made, finished };
}

function keyOf(scope: string, { userId, clientKey }: KeyedCommand): string {
  return `${scope}|${userId}|${clientKey}`;
}
