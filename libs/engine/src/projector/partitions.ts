import { DamagedDocument, type Document, type Documents } from '#storage/documents/documents';
import { derived } from '../households/read-models.js';

/** Into how many partitions the households are divided: the most projectors that can share the work. */
export const PARTITIONS = 16;

export const EVERY_PARTITION: ReadonlySet<number> = new Set(Array.from({ length: PARTITIONS }, (_, i) => i));

/** The partition that a household belongs to, for ever. */
export function partitionOf(householdId: string): number {
  return fnv1a(householdId) % PARTITIONS;
}

const PARTITION_DIGITS = 2;

/** Begins the keys of what the projections keep. They hold for whichever version of the read models is active. */
export const PROJECTION_NAME = 'live';

/** The key of what is stored for a partition: `PROJECTION_NAME|PARTITION`, padded. */
export function partitionKey(partition: number): string {
  return `${PROJECTION_NAME}|${String(partition).padStart(PARTITION_DIGITS, '0')}`;
}

/** @param key as `partitionKey` */
export function partitionOfKey(key: string): number {
  return Number(key.slice(-PARTITION_DIGITS));
}

/** Which partitions this process works on. */
export interface PartitionOwnership {
  /** Whether other processes may work on other partitions of the same stores. */
  readonly shared: boolean;
  owned(): ReadonlySet<number>;
  /** Whether every partition is worked on, by others that keep what they have. */
  standsBy(): boolean;
  /**
   * Begins a new term of this process's work on a partition.
   * @returns a number above `above` and every former term of the partition; null if it is no longer this process's
   * @throws DocumentsUnavailable
   */
  beginTerm(partition: number, above: number): Promise<number | null>;
  /** @param changed called whenever `owned` answers differently from before */
  start(changed: () => void): void;
  /** Gives its partitions free. */
  stop(): Promise<void>;
}

/** One process does everything: no other works on these stores. */
export class SoleOwner implements PartitionOwnership {
  readonly shared = false;

  owned(): ReadonlySet<number> {
    return EVERY_PARTITION;
  }

  standsBy(): boolean {
    return false;
  }

  async beginTerm(_part: number, above: number): Promise<number> {
    return above + 1;
  }

  start(): void {}

  async stop(): Promise<void> {}
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) of a text's UTF-16 units, 32 bits. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Saves of a checkpoint in one term of an owner: many more than there is time for until a lease is renewed. */
const SAVES_PER_TERM = 2 ** 20;

/**
 * How far the households of one partition have come: every event of theirs up to here is applied, or its household is
 * listed as failing. The revision counts the saves within a term of the partition's owner: so a process that sleeps past
 * its lease moves no checkpoint of its successor.
 */
interface CheckpointDocument extends Document {
  /** As `partitionKey`. */
  readonly key: string;
  readonly position: string;
}

/** The checkpoints of the partitions that this process works on. */
export class Checkpoints {
  static readonly collection = derived<CheckpointDocument>('projection_checkpoints');

  /** By partition, as they are stored. */
  private held = new Map<number, CheckpointDocument>();
  private saved: string | null = null;

  constructor(
    private readonly documents: Documents,
    private readonly ownership: PartitionOwnership,
  ) {}

  /**
   * Takes those of this process's partitions, from now on out of reach of who owned these before.
   * @returns the position of the one that is furthest behind; null for the beginning
   * @throws DocumentsUnavailable
   */
  async take(): Promise<string | null> {
    const partitions = [...this.ownership.owned()];
    const stored = await this.stored(partitions.map(partitionKey));
    const byKey = new Map(stored.map(checkpoint => [checkpoint.key, checkpoint]));
    const taken = new Map<number, CheckpointDocument>();
    for (const partition of partitions) {
      const key = partitionKey(partition);
      const { revision, position } = byKey.get(key) ?? { revision: 0, position: '' };
      const term = await this.ownership.beginTerm(partition, Math.floor(revision / SAVES_PER_TERM));
      if (term !== null) taken.set(partition, { key, revision: term * SAVES_PER_TERM, position });
    }
    await this.documents.put(Checkpoints.collection, [...taken.values()]);
    this.held = taken;
    const positions = [...taken.values()].map(({ position }) => position).sort();
    this.saved = positions[0] || null;
    return this.saved;
  }

  /** One that is damaged is removed: its partition begins again, which changes no document that is right. */
  private async stored(keys: readonly string[]): Promise<readonly CheckpointDocument[]> {
    try {
      return await this.documents.getMany(Checkpoints.collection, keys);
    } catch (error) {
      if (!(error instanceof DamagedDocument)) throw error;
      await this.documents.remove(Checkpoints.collection, error.key);
      return this.stored(keys);
    }
  }

  /** Whether this process works on no partition. */
  get areNone(): boolean {
    return this.held.size === 0;
  }

  /** Whether this process works on the partition of a household. */
  haveHousehold(householdId: string): boolean {
    return this.held.has(partitionOf(householdId));
  }

  /** Whether an event of a household is behind the checkpoint of its partition, and the partition this process's. */
  isToBeHandled(householdId: string, position: string): boolean {
    const checkpoint = this.held.get(partitionOf(householdId));
    return checkpoint !== undefined && position > checkpoint.position;
  }

  /** Stores that every partition has come to a position; one that had come further stays. @throws DocumentsUnavailable */
  async save(position: string): Promise<void> {
    if (position === this.saved) return;
    const { held } = this;
    const behind = [...held].filter(([, checkpoint]) => checkpoint.position < position);
    const advanced = new Map(
      behind.map(([partition, { key, revision }]) => [partition, { key, revision: revision + 1, position }]),
    );
    await this.documents.put(Checkpoints.collection, [...advanced.values()]);
    for (const [partition, checkpoint] of advanced) held.set(partition, checkpoint);
    this.saved = position;
  }
}
