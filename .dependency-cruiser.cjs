/** The import rules of the house; README names the rooms. Run by `npm run check`. */
const pure =
  '^server/(statistics|capacity|policy|text|scenario|traffic|export|import/(?!apart/)|kinds/[^/]+/(?!conduct|kind\\.))';
const effects = ['load', 'target', 'sampling', 'browser', 'lab', 'database', 'import/apart', 'process'];
const test = '\\.test\\.tsx?$';

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
      name: 'pure-imports-shared-and-pure-only',
      comment:
        'hdr-histogram-js is arithmetic on arrays, the parsers work on text: no input, output, clock or randomness',
      severity: 'error',
      from: { path: pure, pathNot: test },
      to: {
        pathNot: `^shared/|${pure}|node_modules/(zod|hdr-histogram-js|ipaddr\\.js|@babel|@streamparser|htmlparser2|json-p3|re2js)/`,
      },
    },
    {
      name: 'pure-imports-no-node-modules-of-the-platform',
      severity: 'error',
      from: { path: pure, pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    ...effects.map((room) => ({
      name: `${room}-imports-no-other-effect`,
      severity: 'error',
      from: { path: `^server/${room}/`, pathNot: test },
      to: { path: '^server/', pathNot: `^server/(${room}|process)/|${pure}` },
    })),
    {
      name: 'routes-call-the-rooms-of-their-subject',
      severity: 'error',
      from: { path: '^server/(routes|middleware)/', pathNot: test },
      to: {
        path: '^server/',
        pathNot:
          '^server/(routes|middleware|measurement|kinds|library|recorder|traffic|scenario|import|export|capacity|target/probe|database)/',
      },
    },
    {
      name: 'nothing-imports-the-edges',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/(routes|middleware|commands|bin|bench|testing)/|^server/[^/]+\\.ts$|${test}`,
      },
      to: { path: '^server/(routes|middleware|commands|bin|bench|testing|app|main|cli|start-server)' },
    },
    {
      name: 'help-loads-no-verb',
      comment:
        'the command line loads the one verb that is asked for: everything else is an import() of its own',
      severity: 'error',
      from: { path: '^server/(cli|commands/verb)\\.ts$' },
      to: {
        path: '^server/',
        pathNot: '^server/commands/verb\\.ts$',
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
