import type { ProjectionStatus } from '#engine/projector/projection-host';

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
