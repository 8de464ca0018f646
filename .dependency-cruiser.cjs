/**
 * Import rules. `packages` and `journal` ← `facts` ← `home`, `projections` ← `src`; `web` is separate. `scripts/folders.json` lists
 * the folders of each from the bottom up: an import of a later folder is an error, also for types. Its names are
 * regular expressions; its texts are the table in docs/explanation/architecture.md.
 */

const folders = require('./scripts/folders.json')

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const daemon = '^(packages|journal|facts|home|projections|src)/'
const packageTest = '^packages/[^/]+/test/'
const interfaces = '^src/(http|socket|cli)/'

const lists = Object.entries(folders)
  .filter(([, rows]) => Object.keys(rows).length > 1)
  .map(([folder, rows]) => [folder, Object.keys(rows)])

const upwards = lists.flatMap(([folder, names]) =>
  names.slice(0, -1).map((name, n) =>
    forbid(
      `${folder}-${name.replace(/\W+/g, '-')}-imports-downwards`,
      'A folder imports only folders above it in the list.',
      {
        path: `^${folder}/${name}`,
        pathNot: [
          packageTest,
          ...names
            .slice(n + 1)
            .filter((above) => !above.startsWith('['))
            .map((above) => `^${folder}/${above}`),
        ],
      },
      {
        path: names.slice(n + 1).map((above) => `^${folder}/${above}`),
        pathNot: names
          .slice(0, n + 1)
          .filter((below) => below === name || !below.startsWith('['))
          .map((below) => `^${folder}/${below}`),
      },
    ),
  ),
)

module.exports = {
  forbidden: [
    ...upwards,
    forbid(
      'journal-imports-nothing',
      'The journal does not depend on its users.',
      { path: '^journal/', pathNot: '^journal/log/' },
      { path: '^(packages|facts|home|projections|src)/' },
    ),
    forbid(
      'facts-import-the-journal-only',
      'Facts do not depend on their readers.',
      { path: '^facts/' },
      { path: '^(packages|home|projections|src)/' },
    ),
    forbid(
      'home-imports-facts-and-the-journal-only',
      'Files do not depend on their users.',
      { path: '^home/' },
      { path: '^(packages|projections|src)/' },
    ),
    forbid(
      'projections-import-facts-only',
      'State is folded from facts only.',
      { path: '^projections/' },
      { path: '^(packages|src)/' },
    ),
    forbid(
      'projections-are-pure',
      'No package and no Node module: the same facts give the same state everywhere.',
      { path: '^projections/' },
      { pathNot: '^(journal|facts|projections)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid('web-is-separate', 'The page uses only the HTTP contract.', { path: '^web/' }, { path: daemon }),
    forbid(
      'nothing-imports-web',
      'The page is bundled, never imported.',
      { path: daemon },
      { path: '^web/' },
    ),
    forbid(
      'nothing-ships-tests',
      'Tests, benches and scripts are not part of the product.',
      { path: '^(packages|journal|facts|home|projections|src|web)/', pathNot: packageTest },
      { path: ['^(test|bench|scripts)/', packageTest] },
    ),
    forbid(
      'only-the-root-imports-interfaces',
      'Only the composition root creates HTTP, sockets and the command line.',
      { path: '^src/', pathNot: [interfaces, '^src/(main|daemon|serve-requests)\\.ts$'] },
      { path: interfaces },
    ),
    forbid(
      'sockets-do-not-import-http',
      'HTTP and sockets are independent.',
      { path: '^src/socket/' },
      { path: '^src/http/' },
    ),
    forbid(
      'persona-does-not-import-agents',
      'Decisions do not depend on running agents.',
      { path: '^src/persona/' },
      { path: '^src/agents/' },
    ),
    forbid(
      'packages-know-no-persona',
      'A package uses other packages, and the values and errors of the journal.',
      { path: '^packages/', pathNot: packageTest },
      {
        path: daemon,
        pathNot: [
          '^packages/',
          '^facts/(fact-values|organ-table|persona-journal)\\.ts$',
          '^home/places\\.ts$',
          '^journal/leveldb/durable-files\\.ts$',
          '^journal/log/(errors|head|journal|timeout)\\.ts$',
        ],
      },
    ),
    forbid(
      'no-cycles',
      'A cycle has no starting point for a reader. This is also true for types.',
      {},
      { circular: true },
    ),
    forbid(
      'only-rooms-import-components',
      'Types that a component imports are not seen here, so nothing else may lead back to a component.',
      { path: '^web/', pathNot: ['\\.svelte$', '^web/(main|rooms)\\.ts$'] },
      { path: '\\.svelte$' },
    ),
    forbid(
      'no-orphans',
      'A file that nothing imports is dead code.',
      {
        orphan: true,
        path: '\\.ts$',
        pathNot: ['\\.d\\.ts$', '\\.test\\.ts$', '^bench/', '^src/(main|loader)\\.ts$', '^web/main\\.ts$'],
      },
      {},
    ),
    forbid('nothing-unresolved', 'An import that cannot be resolved.', {}, { couldNotResolve: true }),
    forbid(
      'nothing-undeclared',
      'A package that is not in package.json.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    forbid(
      'nothing-shipped-needs-tools',
      'Imported packages are bundled and shipped, so they belong in dependencies, where an audit finds them.',
      { path: '^(packages|journal|facts|home|projections|src|web)/', pathNot: packageTest },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
