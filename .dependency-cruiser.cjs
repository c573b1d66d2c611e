// Which library may know which. A wrong arrow fails `npm run check`; docs/architecture.md draws the right ones.
const lib = name => `^libs/${name}/`;
const others = allowed => `^libs/(?!(${allowed.join('|')})/)|^apps/`;
const SPECS = '(\\.(spec|scenario|contract|fixture)|/contract/fixture)\\.ts$';
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
    only('concurrency', [], 'What gives way and takes turns knows no work'),
    only('sqlite', ['concurrency', 'event-store', 'documents'], 'One file for both ports knows no budget'),
    only('event-store', ['concurrency', 'documents'], 'A port knows no budget'),
    only('documents', ['concurrency'], 'A port knows no budget'),
    only('jobs', ['concurrency'], 'A port knows no budget'),
    only('mail', [], 'A port knows no accounts'),
    only('http', ['concurrency'], 'The REST conventions know no feature'),
    only('identity', ['concurrency', 'documents', 'jobs', 'mail', 'http'], 'Who may do what knows no budget'),
    only(
      'streams',
      ['concurrency', 'ledger', 'projections', 'event-store', 'documents'],
      'The write side knows no transport',
    ),
    only(
      'budget',
      [
        'concurrency',
        'ledger',
        'projections',
        'imports',
        'streams',
        'identity',
        'documents',
        'event-store',
        'http',
      ],
      'Features use ports, never adapters',
    ),
    only(
      'background',
      ['concurrency', 'ledger', 'projections', 'streams', 'documents', 'event-store'],
      'Background work uses ports, never adapters',
    ),
    only(
      'command-line',
      [
        'client',
        'ledger',
        'projections',
        'streams',
        'background',
        'budget',
        'identity',
        'documents',
        'event-store',
        'http',
        'runtime',
      ],
      'Commands use ports, and leave the choice of adapters to the runtime',
    ),
    {
      name: 'only-runtime-chooses-adapters',
      comment: 'Swap stores in libs/runtime, nowhere else',
      severity: 'error',
      from: {
        path: '^(libs|apps)/',
        pathNot:
          '^libs/(runtime|sqlite)/|\\.(spec|scenario|fixture|contract)\\.ts$|^libs/[^/]+/src/(mongodb|eventstoredb|bullmq|in-process|smtp|outbox)/',
      },
      to: { path: '^libs/sqlite/|^libs/[^/]+/src/(mongodb|eventstoredb|bullmq|in-process|smtp|outbox)/' },
    },
    {
      name: 'adapters-do-not-know-each-other',
      severity: 'error',
      from: {
        path: '^libs/([^/]+)/src/(mongodb|eventstoredb|bullmq|in-process|smtp|outbox)/',
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: '^libs/[^/]+/src/(mongodb|eventstoredb|bullmq|in-process|smtp|outbox)/',
        pathNot: '^libs/$1/src/$2/',
      },
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
