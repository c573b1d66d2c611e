// `npm run bench`: builds when it has to, then measures. `-- --json` prints figures for programs alone,
// `-- --quick` takes a minute, `-- --only routes` (see --help for the others)
// measures a part.
import { build, requireNode } from './build.mjs';

requireNode();
if (!build()) process.exit(1);
await import('../dist/test/bench/bench.js');
