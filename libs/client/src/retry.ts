export type Fetch = (request: Request) => Promise<Response>;

/** What the service refuses for a while only, saying for how long. */
const FOR_A_WHILE = [429, 503];

/**
 * A `fetch` that waits as long as `Retry-After` says after 429 and 503, and sends the same request again.
 * @param forMs how long it waits altogether; an answer that asks for more is returned
 */
export function retrying(fetch: Fetch, forMs: number): Fetch {
  return async request => {
    for (let leftMs = forMs; ;) {
      const response = await fetch(request.clone());
      const waitMs = retryAfterMs(response);
      if (waitMs === null || waitMs > leftMs) return response;
      leftMs -= waitMs;
      await response.body?.cancel();
      await pause(waitMs, request.signal);
    }
  };
}

/** Null where the answer is to be taken, or does not say when to come back. */
function retryAfterMs({ status, headers }: Response): number | null {
  const seconds = headers.get('Retry-After') ?? '';
  return FOR_A_WHILE.includes(status) && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : null;
}

/** @throws the signal's reason, as soon as it comes */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
