import type { Schemas } from '../api/client.js';

/** Somebody at a till does not wait for a satellite. */
const WAIT_MS = 3_000;
const AGE_MS_MAX = 5 * 60_000;

/** Where the device is; null where it does not say so in time. */
export function presentLocation(): Promise<Schemas['Location'] | null> {
  if (!('geolocation' in navigator)) return Promise.resolve(null);
  return new Promise(resolve => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ lat: coords.latitude, lng: coords.longitude, accuracy_m: Math.ceil(coords.accuracy) }),
      () => resolve(null),
      { timeout: WAIT_MS, maximumAge: AGE_MS_MAX },
    );
  });
}
