import { APP_BASE } from '../api/base.js';

/** Lets the app open without a network. In development there is no worker: it would hide changes. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker
    .register(`${APP_BASE}service-worker.js`, { scope: APP_BASE })
    .catch(() => undefined);
}
