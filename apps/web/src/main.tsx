import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { keepQueries, restoreKeptQueries } from './offline/kept-queries.js';
import { registerServiceWorker } from './offline/service-worker.js';
import './styles/index.css';
import { askEarly } from './session/early-requests.js';
import { applyStoredTheme } from './shell/theme.js';

applyStoredTheme();
askEarly(window.location.pathname);
await restoreKeptQueries();
keepQueries();
registerServiceWorker();
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
