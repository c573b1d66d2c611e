import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { readFirst } from './session/first-page.js';
import { keepQueries, restoreKeptQueries } from './offline/kept-queries.js';
import { registerServiceWorker } from './offline/service-worker.js';

void show();

async function show(): Promise<void> {
  await restoreKeptQueries();
  keepQueries();
  await readFirst(window.location.pathname);
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  registerServiceWorker();
}
