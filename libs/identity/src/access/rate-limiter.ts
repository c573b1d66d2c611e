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
 * A token bucket per personal access token, kept by this instance: 120 requests at once, refilled by two a second. Only
 * the time at which it is full again is kept. A bucket that was unused for a minute is full, like a new one: so buckets
 * are kept in two generations, and the older one is dropped each minute.
 */
@Injectable()
export class RateLimiter {
  /** Buckets used since the generations last changed. */
  private young = new Map<string, number>();
  /** Buckets not used since then, but before. */
  private old = new Map<string, number>();
  private changedAt = 0;

  /** Takes one request from a token's bucket. @param now milliseconds since the epoch */
  take(tokenId: string, now: number): Rate {
    // A clock that was set back must not lock a caller out for longer than a window.
    const known = this.young.get(tokenId) ?? this.old.get(tokenId) ?? now;
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
    return this.young.size + this.old.size;
  }

  private keep(tokenId: string, fullAt: number, now: number): void {
    const ageMs = Math.abs(now - this.changedAt);
    if (ageMs >= WINDOW_MS || this.young.size >= BUCKETS_MAX / 2) {
      this.old = ageMs >= 2 * WINDOW_MS ? new Map() : this.young;
      this.young = new Map();
      this.changedAt = now;
    }
    this.old.delete(tokenId);
    this.young.set(tokenId, fullAt);
  }
}
