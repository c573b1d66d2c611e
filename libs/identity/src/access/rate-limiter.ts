import { Injectable } from '@nestjs/common';

/** Specification, "Limits": requests of a personal access token per minute, and at once. */
export const RATE_LIMIT = 120;
const WINDOW_MS = 60_000;
/** What one request takes up of the window. */
const REQUEST_MS = WINDOW_MS / RATE_LIMIT;
/** The most buckets kept. One more forgets the bucket that was unused the longest. */
export const BUCKETS_MAX = 100_000;
/** How many unused buckets one request clears away at most, so that no request pays for many. */
const CLEARED_AT_ONCE = 2;

/** What is left of a token's rate, for the headers. */
export interface Rate {
  readonly allowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 where it is now. */
  readonly retrySeconds: number;
}

/**
 * A token bucket per personal access token, kept by this instance: 120 requests at once, refilled by two a second.
 *
 * Of each bucket only the time at which it is full again is kept. One that is full again equals one that was
 * never used, so it is forgotten; the map is in the order of last use, the longest unused first.
 */
@Injectable()
export class RateLimiter {
  private readonly fullAt = new Map<string, number>();

  /** Takes one request from a token's bucket. @param now milliseconds since the epoch */
  take(tokenId: string, now: number): Rate {
    // A clock that was set back must not lock anybody out for longer than a window.
    const fullAt = Math.min(Math.max(this.fullAt.get(tokenId) ?? now, now), now + WINDOW_MS);
    const after = fullAt + REQUEST_MS;
    const allowed = after - now <= WINDOW_MS;
    const kept = allowed ? after : fullAt;
    this.fullAt.delete(tokenId);
    this.fullAt.set(tokenId, kept);
    this.clear(now);
    return {
      allowed,
      remaining: Math.floor((WINDOW_MS - (kept - now)) / REQUEST_MS),
      resetSeconds: Math.ceil((kept - now) / 1000),
      retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((after - WINDOW_MS - now) / 1000)),
    };
  }

  /** How many buckets are kept. */
  get size(): number {
    return this.fullAt.size;
  }

  private clear(now: number): void {
    let looked = 0;
    for (const [tokenId, fullAt] of this.fullAt) {
      if (looked >= CLEARED_AT_ONCE) return;
      if (fullAt > now && this.fullAt.size <= BUCKETS_MAX) return;
      this.fullAt.delete(tokenId);
      looked += 1;
    }
  }
}
