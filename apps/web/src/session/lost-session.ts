import { signal, type Signal } from '../ui/signal.js';
import { takeEarly } from './early-requests.js';

/**
 * What a lost session needs: while it is true the app asks for the password above the page that one is on. Nothing
 * typed there is lost, and every call that was refused is sent again afterwards.
 */
export const isSessionLost: Signal<boolean> = signal(false);

let isSignedIn = false;
let waiting: (() => void)[] = [];

/** From now on `401` means that the session ended. */
export function noteSignedIn(): void {
  isSignedIn = true;
}

/** From now on `401` means that one has to sign in first. */
export function noteSignedOut(): void {
  isSignedIn = false;
}

/** Sends again what waited. */
export function resumeSession(): void {
  isSessionLost.set(false);
  const resumed = waiting;
  waiting = [];
  for (const resume of resumed) resume();
}

/** `fetch`, which waits for another sign-in and repeats the request where the session was lost. */
export async function authorized(request: Request): Promise<Response> {
  const again = request.clone();
  const response = (await takeEarly(request)) ?? (await fetch(request));
  if (response.status !== 401 || !isSignedIn || (await codeOf(response)) !== 'unauthenticated')
    return response;
  isSessionLost.set(true);
  await new Promise<void>(resolve => waiting.push(resolve));
  return authorized(again);
}

async function codeOf(response: Response): Promise<unknown> {
  try {
    return ((await response.clone().json()) as { code?: unknown }).code;
  } catch {
    return undefined;
  }
}
