import { findingsIn, type EndedVerification, type FindingKind } from '#engine/verify/verification-record';
import { Remark } from '#http/readiness';

/** One and many of each kind. */
const NAMES: Readonly<Record<FindingKind, readonly [one: string, many: string]>> = {
  broken_chains: ['broken chain', 'broken chains'],
  unfoldable: ['household that cannot be folded', 'households that cannot be folded'],
  documents: ['wrong document', 'wrong documents'],
  sums: ['wrong sum', 'wrong sums'],
  memberships: ['wrong membership', 'wrong memberships'],
};

/** What the last verification found, for readiness: null before the first. */
export function verdictOn(last: EndedVerification | null): string | Remark | null {
  if (last === null) return null;
  const { endedAt, events, households, findings } = last;
  if (findingsIn(findings) === 0) {
    return new Remark(`sound at ${endedAt}: ${households} household(s), ${events} event(s)`);
  }
  const found = (Object.keys(NAMES) as FindingKind[])
    .filter(kind => findings[kind] > 0)
    .map(kind => `${findings[kind]} ${NAMES[kind][findings[kind] === 1 ? 0 : 1]}`);
  return `not sound at ${endedAt}: ${found.join(', ')}; run \`ledger projections verify\``;
}
