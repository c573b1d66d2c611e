/** The share of the runs that `npm test` makes, so that it stays quick. `.ci/run` makes all. */
const DEFAULT_SHARE = 0.2;

const share = Number(process.env['PROPERTY_RUNS'] ?? DEFAULT_SHARE);

/**
 * How many random cases a property is tried with here.
 * @param runs how many make it convincing; the environment's PROPERTY_RUNS multiplies them
 */
export function propertyRuns(runs: number): number {
  return Math.max(1, Math.round(runs * share));
}
