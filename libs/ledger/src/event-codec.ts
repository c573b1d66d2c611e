import { EVENTS, versionOf, type LedgerEventType, type RecordedLedgerEvent } from './events.js';
import type { Month, Timestamp, Ulid } from './values.js';

/** Who sent a command, and by what credential. */
export interface Actor {
  readonly userId: Ulid;
  readonly credential: { readonly kind: 'session' | 'token'; readonly id: string };
}

/** What stands beside every event's data. Keys are stored for ever. */
export interface EventMetadata {
  readonly schemaVersion: number;
  readonly at: Timestamp;
  readonly actor: Actor;
  /** The same for all events of one command; their ids derive from it. */
  readonly commandId: string;
  readonly requestId: string;
  /** Hash of the event before this one in the stream; null at revision 0. */
  readonly previousHash: string | null;
  /** On a command's first event: months with a changed figure. */
  readonly months?: readonly Month[];
  /** On a command's first event, if the client sent an `Idempotency-Key`: the key, and a hash of the command. */
  readonly idempotency?: { readonly key: string; readonly commandHash: string };
}

/** An event as any store holds it, before it is understood. */
export interface StoredEvent {
  readonly id: string;
  readonly revision: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: object;
}

/** An understood event together with its metadata. */
export type DecodedEvent = RecordedLedgerEvent & { readonly metadata: EventMetadata };

/** An event that this version does not know. Its household stops, visibly: skipping it would show wrong money. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor(
    readonly eventId: string,
    readonly eventType: string,
    readonly schemaVersion: unknown,
  ) {
    super(
      schemaVersion === undefined
        ? `event ${eventId} of type ${eventType} has no schema version: it is damaged, or another program wrote it`
        : `event ${eventId} of type ${eventType} has schema version ${JSON.stringify(schemaVersion)}, which this version does not know`,
    );
  }
}

/**
 * Understands a stored event, brought up to the newest schema version of its type.
 * @throws UnknownEvent for a type or a version that this program does not know
 */
export function decodeEvent(stored: StoredEvent): DecodedEvent {
  const metadata = stored.metadata as EventMetadata;
  const type = stored.type as LedgerEventType;
  const version = metadata.schemaVersion;
  const isKnown = Object.hasOwn(EVENTS, type) && Number.isInteger(version);
  if (!isKnown || version < 1 || version > versionOf(type)) throw new UnknownEvent(stored.id, type, version);
  let data = stored.data;
  for (const upcast of EVENTS[type].upcasters?.slice(version - 1) ?? []) data = upcast(data);
  return {
    id: stored.id,
    revision: stored.revision,
    type,
    data,
    at: metadata.at,
    by: metadata.actor.userId,
    metadata,
  } as DecodedEvent;
}
