import { Injectable } from '@nestjs/common';

/** How many requests a personal access token may make per minute, and as many at once. */
export const RATE_LIMIT = 120;
const WINDOW_MS = 60_000;
/** What one request takes up of the window. */
const REQUEST_MS = WINDOW_MS / RATE_LIMIT;
/** The most buckets kept. If more are used within a minute, the least recently used ones are dropped. */
export const BUCKETS_MAX = 100_000;

/** What is left of a token's rate, for the headers. */
interface Rate {
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
 * Only the time at which a bucket is full again is kept. After a minute without use it is full, like a new one, and is
 * dropped.
 */
@Injectable()
export class RateLimiter {
  /** When each bucket is full again, the least recently used one first. */
  private readonly fullAt = new Map<string, number>();

  /** Takes one request from a token's bucket. @param now milliseconds since the epoch */
  take(tokenId: string, now: number): Rate {
    // A clock that was set back must not lock a caller out for longer than a window.
    const known = this.fullAt.get(tokenId) ?? now;
    const fullAt = Math.min(Math.max(known, now), now + WINDOW_MS);
    const after = fullAt + REQUEST_MS;
    const allowed = after - now <= WINDOW_MS;
    const kept = allowed ? after : fullAt;
    this.keep(tokenId, kept, now);
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

  private keep(tokenId: string, fullAt: number, now: number): void {
    this.fullAt.delete(tokenId);
    this.fullAt.set(tokenId, fullAt);
    for (const [id, time] of this.fullAt) {
      if (time > now && this.fullAt.size <= BUCKETS_MAX) break;
      this.fullAt.delete(id);
    }
  }
}
