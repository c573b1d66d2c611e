import type { ProjectionStatus } from '#engine/projector/projection-host';
import { findingsIn, type EndedVerification, type FindingKind } from '#engine/verify/verification-host';
import { Remark, type Readiness } from '#http/readiness';
import type { BackupSchedule } from './backup/backup-schedule.js';
import type { LedgerRuntime } from './ledger-runtime.js';
import { isSoleWriter } from './stores.js';
import { UNCONFIRMED_MS, type VersionWatch } from '#engine/versions/live-streams';

export function registerChecks(readiness: Readiness, runtime: LedgerRuntime): void {
  const { stores, projections, verifications, backups, preparation, watch, configuration } = runtime;
  readiness.register('preparation', () => preparation.waitsFor());
  readiness.register('event store', () => stores.eventStore.ping().then(() => null));
  readiness.register('documents', () => stores.documents.ping().then(() => null));
  readiness.register('jobs', () => stores.jobs.ping().then(() => null));
  if (!isSoleWriter(configuration)) readiness.register('read models', () => unconfirmed(watch));
  if (projections) readiness.register('projections', () => troubleOf(projections.status()));
  if (verifications) readiness.register('verification', () => verdictOn(verifications.last));
  if (backups) readiness.register('backup', () => backupVerdict(backups));
}

function unconfirmed(watch: VersionWatch): string | null {
  const milliseconds = watch.unconfirmedMs();
  if (milliseconds <= UNCONFIRMED_MS) return null;
  const since = Number.isFinite(milliseconds)
    ? `for ${Math.round(milliseconds / 1000)} s`
    : 'since the start';
  return `the active read models are unknown ${since}; no household is served`;
}

/** At most this many stopped households are named, with the reason. */
const NAMED_MAX = 5;

/** What keeps the projections from being ready, in a sentence for the operator; null where nothing does. */
export function troubleOf({ caughtUp, waitingFor, failing }: ProjectionStatus): string | null {
  if (waitingFor !== null) return `waiting: ${waitingFor}`;
  if (failing.length > 0) {
    const named = failing.slice(0, NAMED_MAX).map(({ householdId, error }) => `${householdId} (${error})`);
    return `${failing.length} household(s) cannot be projected: ${named.join('; ')}`;
  }
  return caughtUp ? null : 'catching up with the event log';
}

const NAMES: Readonly<Record<FindingKind, readonly [one: string, many: string]>> = {
  broken_chains: ['broken chain', 'broken chains'],
  unfoldable: ['household that cannot be folded', 'households that cannot be folded'],
  documents: ['wrong document', 'wrong documents'],
  sums: ['wrong sum', 'wrong sums'],
  memberships: ['wrong membership', 'wrong memberships'],
};

/** What the last verification found, for readiness: null before the first. */
function verdictOn(last: EndedVerification | null): string | Remark | null {
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

/** Of scheduled backups, for readiness: null before the first. */
export function backupVerdict({
  latestAt,
  trouble,
}: Pick<BackupSchedule, 'latestAt' | 'trouble'>): string | Remark | null {
  const latest =
    latestAt === null ? 'there is none yet' : `the latest is of ${new Date(latestAt).toISOString()}`;
  if (trouble !== null) return `${trouble} (${latest})`;
  return latestAt === null ? null : new Remark(latest);
}
