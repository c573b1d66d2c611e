/** How far the clocks of instances may differ; a time that is further ahead was noted by a wrong clock. */
export const CLOCKS_APART_MS_MAX = 60_000;

/** The time of day: `Date`, or in a test what decides when a link or a session ends. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}
