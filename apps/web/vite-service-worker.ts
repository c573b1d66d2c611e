import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = fileURLToPath(new URL('./worker/service-worker.js', import.meta.url));
/** From `public/`, which the bundle does not list. */
const PUBLIC_FILES = ['icon.svg', 'manifest.webmanifest'];

/** Writes the service worker with the list of the files that it keeps: all of a build, so that every page opens offline. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle(_options, bundle) {
      const built = Object.keys(bundle).filter(name => /\.(js|css|svg|woff2)$/.test(name));
      const files = [...built, ...PUBLIC_FILES].sort();
      const source = readFileSync(SOURCE, 'utf8');
      const version = createHash('sha256')
        .update(source)
        .update(JSON.stringify(files))
        .digest('hex')
        .slice(0, 16);
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: source
          .replace('/* the files of this build */ []', JSON.stringify(files))
          .replace("/* the hash of this build */ ''", JSON.stringify(version)),
      });
    },
  };
}
