import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorker } from './vite-service-worker.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * On iOS react-aria adds a `<style>` while a dialog is open, which the Content-Security-Policy forbids. The rule is in
 * our own style sheet.
 */
function withoutInjectedStyles(): Plugin {
  return {
    name: 'without-injected-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!/usePreventScroll\.m?js/.test(id) || !code.includes('document.head.prepend(style)'))
        return undefined;
      return code.replace('document.head.prepend(style)', 'void style');
    },
  };
}

export default defineConfig({
  root: here('.'),
  // Assets are found from the page's <base href>, so that the app works below a path prefix.
  base: './',
  cacheDir: here('../../dist/vite-cache'),
  plugins: [withoutInjectedStyles(), react(), serviceWorker()],
  resolve: { alias: [{ find: /^#client\/(.*)$/, replacement: `${here('../../libs/client/src')}/$1.ts` }] },
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    // A data: URL is not in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What every page needs is one file: thirty small ones take a slow processor longer.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
  },
  server: {
    port: 5173,
    proxy: { '/v1': { target: process.env['API'] ?? 'http://127.0.0.1:3000', changeOrigin: false } },
  },
});
