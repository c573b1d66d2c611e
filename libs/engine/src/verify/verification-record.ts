import { Turns } from '#concurrency/turns';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { repeatedly } from '#concurrency/repeatedly';

const RENEW_MS = 1_000;
/** A process that could not renew for this long stops, by its own clock: before another one takes over. */
const HELD_MS = 3_000;

/** What a verification can find, in the order of their weight. */
export const FINDING_KINDS = ['broken_chains', 'unfoldable', 'documents', 'sums', 'memberships'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** How a verification ended. */
export interface EndedVerification {
  /** ISO timestamps, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Of the read models that were compared. */
  readonly version: number;
  readonly households: number;
  readonly events: number;
  readonly documents: number;
  readonly findings: Readonly<Record<FindingKind, number>>;
}

/** Who verifies, and how the last verification ended. */
interface VerificationRecord extends Document {
  /** Null while no process verifies. */
  readonly owner: string | null;
  /** Null before the first. */
  readonly last: EndedVerification | null;
}

export const VERIFICATION_KEY = 'verification';

export const VERIFICATIONS: Collection<VerificationRecord> = {
  name: 'verifications',
  durability: 'derived',
  indexes: [],
};

/** How many there are of all kinds. */
export function findingsIn(findings: EndedVerification['findings']): number {
  return FINDING_KINDS.reduce((sum, kind) => sum + findings[kind], 0);
}

/** That this process verifies: it moves the revision of the record while it does. */
export class VerificationLease {
  private readonly endRenewals: () => void;
  private readonly renewals = new Turns();
  private renewedAt = performance.now();
  private lost = false;

  constructor(
    private readonly documents: Documents,
    private record: VerificationRecord,
  ) {
    this.endRenewals = repeatedly(() => this.renewals.take(() => this.change({})), RENEW_MS);
  }

  /** Whether no other process can have taken over. */
  isHeld(): boolean {
    return !this.lost && performance.now() - this.renewedAt <= HELD_MS;
  }

  /** Gives it back. @returns whether the end was recorded. @throws DocumentsUnavailable */
  end(last: EndedVerification | null): Promise<boolean> {
    this.endRenewals();
    return this.renewals.take(() => this.change({ owner: null, last }));
  }

  private async change(change: Partial<VerificationRecord>): Promise<boolean> {
    if (this.lost) return false;
    const begun = performance.now();
    const next = { ...this.record, ...change, revision: this.record.revision + 1 };
    const changed = await this.documents.replace(VERIFICATIONS, next, this.record.revision);
    this.lost = !changed;
    this.record = next;
    this.renewedAt = begun;
    return changed;
  }
}
