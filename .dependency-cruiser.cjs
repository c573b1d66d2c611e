// Which library may know which. A wrong arrow fails `npm run check`; docs/architecture.md draws the right ones.
const lib = name => `^libs/${name}/`;
const others = allowed => `^libs/(?!(${allowed.join('|')})/)|^apps/`;
const SPECS = '(\\.(spec|scenario|contract|fixture)|/contract/fixture)\\.ts$';
// What stands behind a port.
const ADAPTERS = '^libs/(storage|mail)/src/(sqlite|mongodb|eventstoredb|bullmq|in-process|smtp|outbox)/';
const only = (name, allowed, comment) => ({
  name: `${name}-may-import`,
  comment,
  severity: 'error',
  from: { path: lib(name), pathNot: SPECS },
  to: { path: others([name, ...allowed]) },
});

module.exports = {
  forbidden: [
    {
      name: 'ledger-is-pure',
      comment: 'The domain knows no package, no platform, no clock and no ids',
      severity: 'error',
      from: { path: '^libs/(ledger|projections)/', pathNot: SPECS },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    only('client', [], 'A client knows the API alone'),
    {
      name: 'web-may-import',
      comment: 'The web app uses the public API, by the client',
      severity: 'error',
      from: { path: '^apps/web/' },
      to: { path: '^libs/(?!client/)' },
    },
    only('ledger', [], 'The domain stands alone'),
    only('projections', ['ledger'], 'Read models are functions of events'),
    only('imports', ['ledger', 'projections'], 'Statements are read without a store, a server or a clock'),
    only('concurrency', [], 'The clock, and what gives way and takes turns, know no work'),
    only('storage', ['concurrency'], 'A store knows no budget'),
    only('mail', [], 'A port knows no accounts'),
    only('http', ['concurrency'], 'The REST conventions know no feature'),
    only('identity', ['concurrency', 'storage', 'mail', 'http'], 'Who may do what knows no budget'),
    only('engine', ['concurrency', 'ledger', 'projections', 'storage'], 'The engine knows no transport'),
    only(
      'budget',
      ['concurrency', 'ledger', 'projections', 'imports', 'engine', 'identity', 'storage', 'http'],
      'Use cases know no assembly',
    ),
    {
      name: 'assembly-knows-no-command-line',
      comment: 'The server is assembled without the `ledger` command',
      severity: 'error',
      from: { path: '^libs/runtime/', pathNot: `^libs/runtime/src/command-line/|${SPECS}` },
      to: { path: '^libs/runtime/src/command-line/' },
    },
    {
      name: 'ports-know-no-adapter',
      severity: 'error',
      from: { path: '^libs/(storage|mail)/src/', pathNot: `${ADAPTERS}|${SPECS}` },
      to: { path: ADAPTERS },
    },
    {
      name: 'only-runtime-chooses-adapters',
      comment: 'Swap stores in libs/runtime, nowhere else',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: `^libs/runtime/|${ADAPTERS}|${SPECS}` },
      to: { path: ADAPTERS },
    },
    {
      name: 'command-line-leaves-adapters-to-the-assembly',
      severity: 'error',
      from: { path: '^libs/runtime/src/command-line/', pathNot: SPECS },
      to: { path: ADAPTERS },
    },
    {
      name: 'adapters-do-not-know-each-other',
      severity: 'error',
      from: {
        path: '^libs/([^/]+)/src/(sqlite|mongodb|eventstoredb|bullmq|in-process|smtp|outbox)/',
        pathNot: SPECS,
      },
      to: { path: ADAPTERS, pathNot: '^libs/$1/src/$2/' },
    },
    {
      name: 'no-app-to-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-test',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: SPECS },
      to: { path: `^test/|${SPECS}` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^libs/client/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'] },
  },
};
