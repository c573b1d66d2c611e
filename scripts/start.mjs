// `npm start` and `npm run demo`: builds when the sources changed, then runs the standalone server in this process.
import { build } from './build.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`This needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
if (!build()) process.exit(1);
process.setSourceMapsEnabled(true);
await import('../dist/apps/standalone/src/main.js');
