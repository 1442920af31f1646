/** The import rules; .github/CONTRIBUTING.md explains them. Run by `npm run check`. */

/** Wings in the order in which they may look down: each imports itself and those that it names. */
const wings = {
  edge: ['life', 'kinds', 'measure', 'method', 'drive', 'targets', 'intake', 'base'],
  // Of kinds it knows the contract alone; their list is wired in `edge/`.
  life: ['kinds/(kind|told-event)\\.ts$', 'method', 'drive', 'targets', 'intake', 'base'],
  kinds: ['measure', 'method', 'drive', 'targets', 'intake', 'base'],
  // The loops of every measurement; they know no kind.
  measure: ['method', 'drive', 'targets', 'intake', 'base'],
  // Both pure wings may be used by those that act.
  drive: ['method', 'intake', 'base'],
  targets: ['method', 'intake', 'base'],
  method: ['base'],
  intake: ['base'],
  base: [],
};
/** No input, output, clock or randomness. Beside our own rooms: arithmetic on arrays, and parsers of text. */
const pureRooms = '^server/(method/|intake/(?!import/apart/)|base/(text|addresses)/)';
const pureLibraries =
  'node_modules/(zod|hdr-histogram-js|ipaddr\\.js|@babel|@streamparser|htmlparser2|json-p3|re2js|string-width|hyparquet-writer)/';
/** Of a kind, everything but what conducts it; and what kinds share of their comparisons. */
const pureKinds = '^server/kinds/([^/]+/(?!conduct|kind\\.)|define-kind)';
/** Types of what every kind is, and is given. */
const contract = '^server/kinds/(kind|told-event)\\.ts$';
const test = '\\.test\\.tsx?$';

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '\\.css$' } },
    {
      name: 'shared-imports-zod-only',
      severity: 'error',
      from: { path: '^shared/', pathNot: `^shared/testing/|${test}` },
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
      to: { path: '^shared/api/endpoints\\.ts$' },
    },
    {
      name: 'wing-is-known',
      comment: 'A room that no rule names could import anything.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/(${Object.keys(wings).join('|')}|bench|bin|testing)/|${test}`,
      },
      to: {},
    },
    ...Object.entries(wings).map(([wing, below]) => ({
      name: `${wing}-looks-down-only`,
      severity: 'error',
      from: { path: `^server/${wing}/`, pathNot: test },
      to: {
        path: '^server/',
        pathNot: `^server/(${[wing, ...below].map((each) => (each.includes('.') ? each : `${each}/`)).join('|')})`,
      },
    })),
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
    {
      name: 'children-are-started-in-one-place',
      comment: 'It says which variables of the environment they get.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/(base/process/children\\.ts|bench/|bin/|testing/)|${test}`,
      },
      to: { path: '^(node:)?child_process$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kind-imports-no-other-kind',
      comment: 'What two kinds need sinks below them; conduct may call what another kind conducts.',
      severity: 'error',
      from: { path: '^server/kinds/([^/]+)/(?!conduct)', pathNot: test },
      to: { path: '^server/kinds/', pathNot: '^server/kinds/($1/|[^/]+\\.ts$)' },
    },
    {
      name: 'conduct-calls-conduct-alone',
      severity: 'error',
      from: { path: '^server/kinds/([^/]+)/conduct', pathNot: test },
      to: { path: '^server/kinds/', pathNot: '^server/kinds/($1/|[^/]+/conduct|[^/]+\\.ts$)' },
    },
    {
      name: 'help-loads-no-verb',
      comment:
        'the command line loads the one verb that is asked for: everything else is an import() of its own',
      severity: 'error',
      from: { path: '^server/edge/(cli|commands/(verb|run-command))\\.ts$' },
      to: {
        path: '^server/',
        pathNot: '^server/edge/(commands/(verb|run-command)|settings/product-version)\\.ts$',
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
