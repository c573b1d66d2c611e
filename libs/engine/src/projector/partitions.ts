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
