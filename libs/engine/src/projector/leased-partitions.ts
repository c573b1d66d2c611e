import { keysUnder } from '#storage/documents/declared';
import type { Document, Documents } from '#storage/documents/documents';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { Turns } from '#concurrency/turns';
import { repeatedly } from '#concurrency/repeatedly';
import { StandingDocuments } from '../households/standing-documents.js';
import { type BackgroundLog, StandingTrouble } from './background-log.js';
import {
  partitionKey,
  partitionOfKey,
  PARTITIONS,
  PROJECTION_NAME,
  type PartitionOwnership,
} from './partitions.js';
import { derived } from '../households/read-models.js';

/** How often leases are renewed and free partitions looked for. */
export const RENEW_MS = 1_500;

/** Any process may take a lease that was not renewed for this long; dead processes are replaced within 10 s. */
export const LEASE_MS = 5_000;

/** Leases, or processes. */
const ALL_OF_THEM = { ...keysUnder(PROJECTION_NAME), limit: 1_000 };

/** Who works on a partition. Free where `owner` is null. */
interface LeaseDocument extends Document {
  /** As `partitionKey`. */
  readonly key: string;
  readonly owner: string | null;
}

/** That a process is there; renewed with the leases. */
interface WorkerDocument extends Document {
  /** `PROJECTION_NAME|OWNER` */
  readonly owner: string;
}

/**
 * Partitions shared between processes by leases (ADR 11). Leases only say who works: writes are whole documents guarded by
 * revision, so a process that wakes up after its lease ended changes nothing.
 */
export class LeasedPartitions implements PartitionOwnership {
  readonly shared = true;
  static readonly leases = derived<LeaseDocument>('projection_leases');
  static readonly workers = derived<WorkerDocument>('projection_workers');

  private held = new Map<number, LeaseDocument>();
  private readonly leases: StandingDocuments;
  private readonly workers: StandingDocuments;
  /** Leases that were taken, ever. */
  private acquired = 0;
  private heartbeat = 0;
  private endTurns: () => void = () => undefined;
  /** What changes leases: a revision that this process moved is not one that it lost. */
  private readonly changes = new Turns();
  private changed: () => void = () => undefined;
  private lastRenewal = 0;
  private spare = false;
  private readonly trouble: StandingTrouble;

  constructor(
    private readonly documents: Documents,
    /** Unique to this process. */
    private readonly owner: string,
    private readonly log: BackgroundLog,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.leases = new StandingDocuments(LEASE_MS, now);
    this.workers = new StandingDocuments(LEASE_MS, now);
    this.trouble = new StandingTrouble(log, 'cannot renew leases');
  }

  owned(): ReadonlySet<number> {
    return new Set(this.held.keys());
  }

  standsBy(): boolean {
    return this.spare;
  }

  start(changed: () => void): void {
    this.changed = changed;
    void this.changes.take(() => this.turn());
    this.endTurns = repeatedly(() => this.changes.take(() => this.turn()), RENEW_MS);
  }

  /** A term is the lease's revision when it began: one process wins each, and a later owner has a greater one. */
  beginTerm(partition: number, above: number): Promise<number | null> {
    return this.changes.take(async () => {
      const lease = this.held.get(partition);
      if (!lease) return null;
      await this.renew(partition, lease, Math.max(lease.revision, above) + 1);
      return this.held.get(partition)?.revision ?? null;
    });
  }

  async stop(): Promise<void> {
    this.endTurns();
    await this.changes.ended();
    // Leases that cannot be given back lapse by themselves.
    await Promise.all([...this.held.values()].map(lease => this.release(lease))).catch(() => undefined);
    await this.documents.remove(LeasedPartitions.workers, this.workerKey()).catch(() => undefined);
    this.held.clear();
  }

  /** Renews what is held, gives back what is beyond a fair share, and takes what is free: every `RENEW_MS`. */
  async turn(): Promise<void> {
    const before = this.standing();
    try {
      await this.renewAndTake();
      this.lastRenewal = this.now();
      this.trouble.over();
    } catch (error) {
      this.trouble.met(error);
      this.spare = false;
      // Another process takes them once it sees them unrenewed; further work would be wasted.
      if (this.now() - this.lastRenewal > LEASE_MS) this.held.clear();
    }
    if (before === this.standing()) return;
    this.log.info({ partitions: [...this.held.keys()] }, 'assigned partitions changed');
    this.changed();
  }

  /** Differs whenever the partitions do, and where one was lost and taken again: another process had it in between. */
  private standing(): string {
    return `${[...this.held.keys()].sort().join()} ${this.acquired}`;
  }

  private async renewAndTake(): Promise<void> {
    const share = Math.ceil(PARTITIONS / (await this.liveWorkers()));
    for (const [partition, lease] of this.held) await this.renew(partition, lease, lease.revision + 1);
    for (const lease of [...this.held.values()].slice(share)) await this.release(lease);
    // Watched at every turn, so that a lease that stands still is known to by the time it is wanted.
    const leases = await this.documents.range(LeasedPartitions.leases, ALL_OF_THEM);
    const stale = this.leases.stale(leases);
    let ofOthers = 0;
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const lease = leases.find(({ key }) => key === partitionKey(partition));
      const isFree = !lease || stale.has(lease) || lease.owner === null || lease.owner === this.owner;
      if (!isFree) ofOthers++;
      else if (this.held.size < share && !this.held.has(partition)) await this.acquire(partition, lease);
    }
    this.spare = this.held.size === 0 && ofOthers === PARTITIONS && largestHolding(leases) <= share;
  }

  /** Tells the others of this process, and counts those that moved lately. */
  private async liveWorkers(): Promise<number> {
    this.heartbeat = Math.max(this.heartbeat + 1, Date.now());
    const mine = { key: this.workerKey(), revision: this.heartbeat, owner: this.owner };
    await this.documents.put(LeasedPartitions.workers, [mine]);
    const workers = await this.documents.range(LeasedPartitions.workers, ALL_OF_THEM);
    const stale = this.workers.stale(workers);
    for (const { key, revision } of stale) {
      await this.documents.remove(LeasedPartitions.workers, key, revision);
    }
    return Math.max(workers.length - stale.size, 1);
  }

  /** Gives up the partition if another process has taken it. */
  private async renew(partition: number, lease: LeaseDocument, revision: number): Promise<void> {
    const renewed = { ...lease, revision };
    const isOurs = await this.documents.replace(LeasedPartitions.leases, renewed, lease.revision);
    if (isOurs) this.held.set(partition, renewed);
    else this.held.delete(partition);
  }

  private async acquire(partition: number, lease: LeaseDocument | undefined): Promise<void> {
    const revision = (lease?.revision ?? 0) + 1;
    const mine: LeaseDocument = { key: partitionKey(partition), revision, owner: this.owner };
    const acquired = lease
      ? await this.documents.replace(LeasedPartitions.leases, mine, lease.revision)
      : await insertIfAbsent(this.documents, LeasedPartitions.leases, mine);
    if (!acquired) return;
    this.held.set(partition, mine);
    this.acquired += 1;
  }

  private async release(lease: LeaseDocument): Promise<void> {
    const free = { ...lease, revision: lease.revision + 1, owner: null };
    await this.documents.replace(LeasedPartitions.leases, free, lease.revision);
    this.held.delete(partitionOfKey(lease.key));
  }

  private workerKey(): string {
    return `${PROJECTION_NAME}|${this.owner}`;
  }
}

/** How many of the leases the process has that has the most. */
function largestHolding(leases: readonly LeaseDocument[]): number {
  const held = new Map<string | null, number>();
  for (const { owner } of leases) held.set(owner, (held.get(owner) ?? 0) + 1);
  return Math.max(...held.values());
}
