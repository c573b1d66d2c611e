// `npm run test:watch -- part`, and half of `npm run dev`: builds, runs a script of this folder, and does both again when a
// source changes. It builds itself, so that a change during a build waits for its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, requireNode } from './build.mjs';

/** An editor writes several files, or one of them in several steps. */
const SETTLE_MS = 50;

const [script, ...rest] = process.argv.slice(2);
const root = new URL('../', import.meta.url);
const program = fileURLToPath(new URL(script, import.meta.url));

let child = null;
let onChange = () => {};

async function stop() {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** What the build itself writes, and what Vite's own server looks after. */
function isElsewhere(name) {
  const path = name.replaceAll('\\', '/');
  return path.startsWith('client/dist') || (path.startsWith('web/') && process.env.WEB === 'off');
}

requireNode();
for (const folder of ['apps', 'libs', 'test']) {
  watch(fileURLToPath(new URL(folder, root)), { recursive: true }, (_, name) => {
    if (!isElsewhere(name ?? '')) onChange();
  });
}
process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
for (;;) {
  const changed = new Promise(resolve => (onChange = resolve));
  if (build()) {
    await stop();
    child = spawn(process.execPath, [program, ...rest], { stdio: 'inherit' });
  }
  await changed;
  await pause(SETTLE_MS);
}
