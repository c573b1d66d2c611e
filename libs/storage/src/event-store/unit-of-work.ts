import type { Documents, Write } from '../documents/documents.js';
import type { Appended, EventStore, NewEvent } from './event-store.js';

/** What a command records. */
export interface Commit {
  readonly stream: string;
  /** The revision at which the events are appended, as `EventStore.append` takes it. */
  readonly expected: number;
  readonly events: readonly NewEvent[];
  /** The documents that the events change, as `Documents.putAll` takes them. */
  readonly writes: readonly Write[];
}

/**
 * Records events together with the documents that they change. Where one database holds both, that is one
 * transaction. Elsewhere the events come first: when the documents cannot be written, the events stand, and the
 * documents are brought up to date by the next command of the stream, or by the projector.
 */
export abstract class UnitOfWork {
  /** @throws as `EventStore.append` and `Documents.putAll` */
  abstract commit(commit: Commit): Promise<Appended>;
}

/** For events and documents in different stores. */
export class AppendThenWrite extends UnitOfWork {
  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
  ) {
    super();
  }

  override async commit({ stream, expected, events, writes }: Commit): Promise<Appended> {
    const appended = await this.store.append(stream, expected, events);
    if (writes.length > 0) await this.documents.putAll(writes);
    return appended;
  }
}
