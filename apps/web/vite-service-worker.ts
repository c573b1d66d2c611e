import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = fileURLToPath(new URL('./worker/service-worker.js', import.meta.url));
const KEPT = /\.(js|css|svg|woff2|webmanifest)$/;

/** Writes the service worker with the list of the files that it keeps: all of a build, so that every page opens offline. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    writeBundle({ dir }) {
      const files = filesIn(dir!);
      const source = readFileSync(SOURCE, 'utf8');
      const version = createHash('sha256')
        .update(source)
        .update(JSON.stringify(files))
        .digest('hex')
        .slice(0, 16);
      writeFileSync(
        join(dir!, 'service-worker.js'),
        source
          .replace('/* the files of this build */ []', JSON.stringify(files))
          .replace("/* the hash of this build */ ''", JSON.stringify(version)),
      );
    },
  };
}

function filesIn(directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && KEPT.test(entry.name));
  return files.map(entry => relative(directory, join(entry.parentPath, entry.name))).sort();
}
