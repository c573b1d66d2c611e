// `npm start` and `npm run demo`: builds when the sources changed, then runs the standalone server in this process.
import { build, requireNode } from './build.mjs';

requireNode();
if (!build()) process.exit(1);
process.setSourceMapsEnabled(true);
await import('../dist/apps/standalone/src/main.js');
