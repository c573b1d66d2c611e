/** How far the clocks of instances may differ; a time that is further ahead was noted by a wrong clock. */
export const CLOCKS_APART_MS_MAX = 60_000;

/** The time of day. Injected, so that a test decides when a link or a session ends. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}

/** Milliseconds since the epoch as the API shows times. */
export function timestamp(at: number): string {
  return new Date(at).toISOString();
}
