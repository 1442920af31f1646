/** The import rules; public/docs/contributing.md names the rooms. Run by `npm run check`. */

/** No input, output, clock or randomness. Beside our own rooms: arithmetic on arrays, and parsers of text. */
const pureRooms = '^server/(statistics|capacity|policy|gate|text|scenario|traffic|export|import/(?!apart/))';
const pureLibraries =
  'node_modules/(zod|hdr-histogram-js|ipaddr\\.js|@babel|@streamparser|htmlparser2|json-p3|re2js|string-width|hyparquet-writer)/';
/** Of a kind, everything but what conducts it; and what kinds share of their comparisons. */
const pureKinds = '^server/kinds/([^/]+/(?!conduct|kind\\.)|compare-)';
/** Types of what every kind is, and is given. */
const contract = '^server/measurement/kind\\.ts$';
const effects = [
  ...['load', 'link', 'target', 'sampling', 'browser'],
  ...['lab', 'database', 'import/apart', 'picture', 'process'],
];
const test = '\\.test\\.tsx?$';

/** What joins rooms, and all of `server/` that it may import. */
const joints = {
  measurement: ['measurement', 'database', 'traffic', 'text'],
  checks: [
    ...['checks', 'database/open-database', 'library', 'measurement', 'scenario', 'traffic', 'target'],
    'sampling/(agent/agent-connection|prometheus/scraper)',
  ],
  'all-kinds': ['measurement', 'kinds/[^/]+/kind', 'kinds/house'],
  'kinds/house': ['target/(open-target|resolve-origins)', 'kinds/apparatus'],
  'kinds/round-of-bursts': ['load/(messages|start-generator)', 'sampling/readings'],
  'kinds/demand-here': ['target/(open-target|resolve-origins)'],
  // What a run measures with: real, unless a test hands in another.
  'kinds/apparatus': [
    'target/open-target',
    'sampling',
    'load/start-generator',
    'process/(pin-to-cores|serving-cores)',
    'policy',
  ],
  library: [
    'library',
    'database',
    'scenario',
    'measurement/permalink-id',
    'target/storefront/search-scenario',
  ],
  // What earlier runs tell the next one.
  past: ['past', 'database/(open-database|earlier-runs)', 'kinds/comparison/(analyse|series)'],
  // The people who sign in.
  team: ['team', 'database', 'measurement/permalink-id'],
  backup: ['backup', 'database', 'process/children'],
  audit: ['audit', 'database/(open-database|audit-log)', 'measurement/permalink-id'],
  permits: [
    'text/is-record',
    ...['permits', 'database/(open-database|permitted-targets|audit-log)'],
    ...['measurement/permalink-id', 'policy'],
  ],
  // Of this server itself.
  metrics: ['metrics', 'database/(open-database|count-measurements)', 'measurement/measurements'],
  recorder: ['recorder', 'measurement', 'browser', 'traffic', 'target/(open-target|start-limit)', 'policy'],
  middleware: ['middleware', 'audit/open-audit'],
  // Attribution joins what two kinds have found; a cell of a sweep and what changed between runs have addresses of their own.
  // A series joins runs that were stored.
  routes: [
    ...[
      'routes',
      'middleware',
      'measurement',
      'library',
      'recorder',
      'checks',
      'permits',
      'audit',
      'capacity',
      'metrics/metrics',
    ],
    'target/managed/find-servers',
    'picture/open-pictures',
    ...[
      'text',
      'scenario',
      'import',
      'export',
      'database/open-database',
      'database/history/open-history',
      'database/series',
      'database/starters',
      'team/team',
      'kinds/(comparison|sweep)/(analyse|report|changes|series)',
    ],
  ],
  commands: [
    ...['commands', 'start-server', 'backup/(back-up|restore)', 'config', 'product-version', 'measurement'],
    ...['kinds/[^/]+/kind', 'kinds/comparison/report/comment', 'start-runner', 'own-name'],
    ...[
      'kinds/comparison/changes',
      'target/own-identity',
      'scenario',
      'import',
      'text',
      'gate',
      'database/data-directory',
      'all-kinds',
      // The agent is a program of its own, beside a target.
      ...['sampling', 'process/(listener-pid|children)'],
      'team/(team|team-alone)',
    ],
  ],
  'start-server': [
    ...['app', 'all-kinds', 'config', 'limits', 'product-version', 'routes', 'measurement'],
    ...[
      'checks',
      'library',
      'permits',
      'audit',
      'recorder',
      'database',
      'picture',
      'sampling',
      'own-name',
      'past',
    ],
    ...[
      'kinds/house',
      'team/open-team',
      'metrics/open-metrics',
      'process/(listen-at|open-listeners|own-listeners-of)',
      'policy/open-host-turns',
    ],
  ],
  'start-runner': [
    ...[
      'all-kinds',
      'config',
      'product-version',
      'measurement',
      'library',
      'permits',
      'past',
      'database',
      'sampling',
      'policy/open-host-turns',
    ],
  ],
  'own-name': [],
  app: ['routes', 'middleware'],
  cli: ['commands', 'database/temporary-directory', 'product-version', 'process/end-with-starter'],
  main: ['commands/serve', 'database/temporary-directory', 'process/end-with-starter'],
  config: ['policy'],
  limits: ['measurement', 'import', 'kinds/[^/]+/plan'],
  'product-version': [],
};

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '\\.css$' } },
    {
      name: 'shared-imports-zod-only',
      severity: 'error',
      from: { path: '^shared/', pathNot: test },
      to: { pathNot: '^shared/|node_modules/zod/' },
    },
    {
      name: 'product-imports-no-testing',
      severity: 'error',
      from: { pathNot: `^server/testing/|^shared/testing/|^e2e/|${test}` },
      to: { path: '^shared/testing/' },
    },
    {
      name: 'client-never-imports-server',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^server/' },
    },
    {
      name: 'server-never-imports-client',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^client/' },
    },
    {
      name: 'client-imports-endpoints-by-group',
      comment:
        'A browser builds every schema that it imports before it shows anything, and the table of all endpoints has them all.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^shared/api\\.ts$' },
    },
    {
      name: 'room-is-known',
      comment: 'A room that no rule names could import anything.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/(${Object.keys(joints).join('|')}|${effects.join('|')}|bench|bin|testing)(/|\\.ts$)|${pureRooms}|${pureKinds}|^server/kinds/[^/]+/|${test}`,
      },
      to: {},
    },
    {
      name: 'pure-imports-shared-and-pure-only',
      severity: 'error',
      from: { path: pureRooms, pathNot: test },
      to: { pathNot: `^shared/|${pureRooms}|${pureLibraries}` },
    },
    {
      name: 'only-conduct-joins-pure-and-effect',
      severity: 'error',
      from: { path: pureKinds, pathNot: test },
      to: { pathNot: `^shared/|${pureRooms}|${pureKinds}|${pureLibraries}|${contract}` },
    },
    ...effects.map((room) => ({
      name: `${room}-imports-no-other-effect`,
      severity: 'error',
      from: { path: `^server/${room}/`, pathNot: test },
      to: { path: '^server/', pathNot: `^server/(${room}|process)/|${pureRooms}` },
    })),
    {
      name: 'children-are-started-in-one-place',
      comment: 'It says which variables of the environment they get.',
      severity: 'error',
      from: { path: '^server/', pathNot: `^server/(process/children\\.ts|bench/|bin/|testing/)|${test}` },
      to: { path: '^(node:)?child_process$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kind-imports-no-other-kind',
      comment: 'It may call what another kind conducts.',
      severity: 'error',
      from: { path: '^server/kinds/([^/]+)/', pathNot: test },
      to: { path: '^server/kinds/', pathNot: '^server/kinds/($1/|[^/]+/conduct|[^/]+\\.ts$)' },
    },
    ...Object.entries(joints).map(([joint, rooms]) => ({
      name: `${joint}-imports-the-rooms-it-joins`,
      severity: 'error',
      from: { path: `^server/${joint}(/|\\.ts$)`, pathNot: test },
      to: { path: '^server/', pathNot: `^server/(${rooms.join('|')})(/|\\.ts$)` },
    })),
    {
      name: 'nothing-imports-the-edges',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/(routes|middleware|commands|bin|bench|testing)/|^server/[^/]+\\.ts$|${test}`,
      },
      to: {
        path: '^server/(routes|middleware|commands|bin|bench|testing|app|main|cli|start-server|start-runner)',
      },
    },
    {
      name: 'help-loads-no-verb',
      comment:
        'the command line loads the one verb that is asked for: everything else is an import() of its own',
      severity: 'error',
      from: { path: '^server/(cli|commands/verb)\\.ts$' },
      to: {
        path: '^server/',
        pathNot: '^server/(commands/verb|product-version)\\.ts$',
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'feature-never-imports-feature',
      severity: 'error',
      from: { path: '^client/features/([^/]+)/', pathNot: test },
      to: { path: '^client/features/', pathNot: '^client/features/$1/' },
    },
    {
      name: 'client-lower-floors',
      severity: 'error',
      from: { path: '^client/(charts|components|format|api)/', pathNot: test },
      to: { path: '^client/(app|features)/' },
    },
    {
      name: 'format-is-pure',
      severity: 'error',
      from: { path: '^client/format/', pathNot: test },
      to: { path: '^client/', pathNot: '^client/format/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
