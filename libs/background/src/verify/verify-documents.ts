import { setTimeout as pause } from 'node:timers/promises';
import { DamagedDocument, type Collection, type Document, type Documents } from '#documents/documents';
import { householdRange } from '#streams/household-making';
import { collectionsOf, type ReadModels } from '#streams/read-models';
import { haveSameText } from '../same-text.js';
import { entriesOf, type Entry } from './entries.js';
import { fieldDifferences, type FieldDifference } from './field-differences.js';
import type { Scratch, ScratchFold } from './scratch-fold.js';

/** Documents that are compared at once, from each side. */
const PAGE_DOCUMENTS = 500;

/** How long after an event a server may bring its documents into the store; later they are behind. */
const DOCUMENTS_LAG_MS_MAX = 10_000;
/** How long one document is waited for at most, whatever clocks say. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 200;

/**
 * `differs`: another content at the same revision. `missing`: the events make it and it is not there. `unexpected`: no
 * event makes it. `behind`: it is as it was at an earlier revision. `damaged`: the medium changed it, so that it cannot be
 * read.
 */
export type DifferenceKind = 'differs' | 'missing' | 'unexpected' | 'behind' | 'damaged';

/** The documents that are verified. */
interface Served {
  readonly documents: Documents;
  readonly models: ReadModels;
  /** Throws where they are served no more: nothing that is late there comes. */
  readonly requireLive: () => Promise<void>;
}

/** A served document that is not what the events make it. */
export interface Difference {
  readonly householdId: string;
  readonly collection: string;
  readonly key: string;
  readonly kind: DifferenceKind;
  readonly fields: readonly FieldDifference[];
}

/**
 * Compares the served documents of one household with those of a fold into a scratch.
 *
 * Beside a running server neither side stands still: a served document may be ahead of the fold or a little behind
 * it. So what looks different is read again, and the fold goes on to the very revision of the served document,
 * before it counts.
 */
export class HouseholdDocumentsCheck {
  /** Documents that the household has in the scratch. */
  documents = 0;

  constructor(
    private readonly served: Served,
    private readonly scratch: Scratch,
    private readonly fold: ScratchFold,
    private readonly householdId: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws as `ScratchFold.foldOn`, and `Served.requireLive` */
  async *differences(): AsyncGenerator<Difference> {
    const { models } = this.served;
    for (const collection of collectionsOf(models)) {
      if (collection.name === models.heads.name) continue;
      for await (const key of this.suspects(collection)) {
        const difference = await this.unlessDamaged(collection, key, () => this.settled(collection, key));
        if (difference) yield difference;
      }
    }
    const { heads } = models;
    const head = await this.unlessDamaged(heads, this.householdId, () => this.headAhead());
    if (head) yield head;
  }

  /** What a look at a document finds; where that is damaged, that it is. */
  private async unlessDamaged(
    { name }: Collection<Document>,
    key: string,
    look: () => Promise<Difference | null>,
  ): Promise<Difference | null> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof DamagedDocument)) throw error;
      return { householdId: this.householdId, collection: name, key, kind: 'damaged', fields: [] };
    }
  }

  /** The keys of documents that are not the same on both sides at a first look. */
  private async *suspects(collection: Collection<Document>): AsyncGenerator<string> {
    const served = this.inOrder(this.served.documents, collection);
    const expected = this.inOrder(this.scratch.documents, collection);
    let [a, b] = [await next(served), await next(expected)];
    while (a !== null || b !== null) {
      if (b !== null && (a === null || isBefore(b.key, a.key))) {
        this.documents++;
        yield b.key;
        b = await next(expected);
      } else if (b === null || isBefore(a!.key, b.key)) {
        yield a!.key;
        a = await next(served);
      } else {
        this.documents++;
        if (!haveSameText(a!.document, b.document)) yield b.key;
        [a, b] = [await next(served), await next(expected)];
      }
    }
  }

  private inOrder(documents: Documents, collection: Collection<Document>): AsyncGenerator<Entry> {
    return entriesOf(documents, collection, householdRange(this.householdId), PAGE_DOCUMENTS);
  }

  /** What remains of a suspicion once both sides were looked at for the same revision. */
  private async settled(collection: Collection<Document>, key: string): Promise<Difference | null> {
    const deadline = this.now() + PATIENCE_MS;
    for (;;) {
      const served = await this.served.documents.get(collection, key);
      if (served && served.revision > this.fold.revision) await this.fold.foldOn(served.revision);
      const expected = await this.scratch.documents.get(collection, key);
      if (served === null && expected === null) return null;
      if (served && expected && haveSameText(served, expected)) return null;
      const isBehind = expected !== null && (served === null || served.revision < expected.revision);
      if (!isBehind || this.isOverdue(deadline)) return this.difference(collection, key, expected, served);
      await this.served.requireLive();
      await pause(LOOK_AGAIN_MS);
    }
  }

  private isOverdue(deadline: number): boolean {
    const now = this.now();
    return now > deadline || now - this.fold.lastRecordedAt > DOCUMENTS_LAG_MS_MAX;
  }

  private difference(
    collection: Collection<Document>,
    key: string,
    expected: Document | null,
    found: Document | null,
  ): Difference {
    return {
      householdId: this.householdId,
      collection: collection.name,
      key,
      kind: kindOf(expected, found),
      fields: expected && found ? fieldDifferences(expected, found) : [],
    };
  }

  /** A head says up to where the documents surely reflect the events: it must not name events that are not there. */
  private async headAhead(): Promise<Difference | null> {
    const { heads } = this.served.models;
    const head = await this.served.documents.get(heads, this.householdId);
    if (!head || head.revision <= this.fold.revision) return null;
    await this.fold.foldOn(head.revision);
    const { revision } = this.fold;
    if (head.revision <= revision) return null;
    const fields = [{ path: 'revision', expected: revision, found: head.revision }];
    return { householdId: this.householdId, collection: heads.name, key: head.key, kind: 'differs', fields };
  }
}

function kindOf(expected: Document | null, found: Document | null): DifferenceKind {
  if (expected === null) return 'unexpected';
  if (found === null) return 'missing';
  return found.revision < expected.revision ? 'behind' : 'differs';
}

/** By bytes of UTF-8, as ranges are ordered. */
function isBefore(a: string, b: string): boolean {
  return a !== b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

async function next(entries: AsyncGenerator<Entry>): Promise<Entry | null> {
  const { value, done } = await entries.next();
  return done === true ? null : value;
}
