import type { Collection, Document } from '#storage/documents/documents';

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
export interface VerificationRecord extends Document {
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
