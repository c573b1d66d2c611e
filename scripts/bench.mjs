// `npm run bench`: builds when it has to, then measures. `-- --json` prints figures for programs alone,
// `-- --quick` takes a minute, `-- --only routes` (path, age, search, as_of, sse, identity, restart, projection, web, servers)
// measures a part.
import { build, requireNode } from './build.mjs';

requireNode();
if (!build()) process.exit(1);
await import('../dist/test/bench/bench.js');
