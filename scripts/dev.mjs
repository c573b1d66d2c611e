// `npm run dev`: the server on ./data, started again when a source of it changes, and beside it the web app from Vite's own
// server, which reloads what changes. Links in mails lead to the latter, which sends calls of the API on to the server.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireNode } from './build.mjs';

requireNode();
const root = fileURLToPath(new URL('..', import.meta.url));
const api = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const env = { APP_URL: 'http://localhost:5173', WEB: 'off', ...process.env, API: api };
const programs = [
  ['scripts/watch.mjs', 'start.mjs'],
  ['node_modules/vite/bin/vite.js', 'apps/web', '--configLoader', 'runner', '--clearScreen', 'false'],
].map(args => spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }));

/** Where one ends, so does the other. */
const end = () => programs.forEach(program => program.kill('SIGTERM'));
for (const program of programs) program.once('exit', end);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
