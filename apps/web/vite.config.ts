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

/** Lets the browser load the file of the app, and what it imports, beside the small one that the page begins with. */
function withAppPreloaded(): Plugin {
  return {
    name: 'with-app-preloaded',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk: start }) {
        const app = Object.values(bundle).find(({ type, name }) => type === 'chunk' && name === 'app');
        if (app?.type !== 'chunk') return undefined;
        return [app.fileName, ...app.imports]
          .filter(file => file !== start?.fileName)
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
            injectTo: 'head',
          }));
      },
    },
  };
}

/** Lets V8 compile the files of the first page beside the main thread, while they are loaded. */
function compiledEarly(): Plugin {
  return {
    name: 'compiled-early',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && EARLY.has(chunk.name))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}

const EARLY = new Set(['app', 'month']);

/** What is needed together is one file: thirty small ones take a slow processor longer. */
const FILES = [
  { name: 'start', tags: ['$initial' as const], priority: 3 },
  { name: 'app', test: /src\/main\.tsx$/, priority: 2 },
  { name: 'month', test: /src\/month\/month-page\.tsx$/, priority: 1 },
];

export default defineConfig({
  root: here('.'),
  // Assets are found from the page's <base href>, so that the app works below a path prefix.
  base: './',
  cacheDir: here('../../dist/vite-cache'),
  plugins: [withoutInjectedStyles(), react(), withAppPreloaded(), compiledEarly(), serviceWorker()],
  resolve: { alias: [{ find: /^#client\/(.*)$/, replacement: `${here('../../libs/client/src')}/$1.ts` }] },
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    // A data: URL is not in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
  },
  server: {
    port: 5173,
    proxy: { '/v1': { target: process.env['API'] ?? 'http://127.0.0.1:3000', changeOrigin: false } },
  },
});
