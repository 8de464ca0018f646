/**
 * Import rules. `packages` and `journal` ← `projections` ← `src`; `web` is separate. The lists below name the
 * folders of each from the bottom up: an import of a later folder is an error, also for types.
 */

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const daemon = '^(packages|journal|projections|src)/'
const packageTest = '^packages/[^/]+/test/'
const faces = '^src/(http|socket|cli)/'

/** From the bottom up. */
const floors = {
  packages: [
    'kit/',
    'leveldb-reader/',
    'documents/',
    'web-reading/',
    'models/',
    'practice-mind/',
    'mcp-client/',
    'history-import/',
  ],
  journal: ['facts', 'log', 'files', 'leveldb'],
  src: [
    ...[
      'open-models\\.ts',
      'platform-table\\.ts',
      'config\\.ts',
      'home-upgrade\\.ts',
      'home-lock\\.ts',
      'home-mark\\.ts',
      'cluster/jetstream/',
      'journal-engine\\.ts',
    ],
    'web-channel\\.ts',
    ...[
      'bus\\.ts',
      'persona/',
      'search/',
      'diary/',
      'calendar/',
      'skills/',
      'mind/',
      'tool-servers/',
      'agents/',
      'commands/',
      'health/',
      'channels/',
      'web-push/',
      'metrics/',
      'cluster/',
      'mcp/server/',
    ],
    ...['http/', 'socket/', 'daemon\\.ts', 'cli/', 'main\\.ts'],
  ],
  'packages/models': ['[^/]+\\.ts', 'ollama/', 'providers/', 'prices\\.ts', 'open-embedder\\.ts'],
  'src/mind': ['prompt/', '[^/]+\\.ts', 'memory/', 'tools/'],
}

const upwards = Object.entries(floors).flatMap(([folder, names]) =>
  names.slice(0, -1).map((name, n) =>
    forbid(
      `${folder}-${name.replace(/\W+/g, '-')}-looks-down`,
      'A folder stands above what it uses.',
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
      'journal-knows-nobody',
      'Facts know nothing of what is made of them.',
      { path: '^journal/' },
      { path: '^(packages|projections|src)/', pathNot: '^packages/leveldb-reader/' },
    ),
    forbid(
      'projections-know-facts-alone',
      'Conclusions depend on facts, never on decisions.',
      { path: '^projections/' },
      { path: '^(packages|src)/' },
    ),
    forbid(
      'projections-are-pure',
      'No package and no Node module: the same facts give the same conclusions anywhere.',
      { path: '^projections/' },
      { pathNot: '^(journal|projections)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'web-stands-alone',
      'The page knows the daemon by its contract only.',
      { path: '^web/' },
      { path: daemon },
    ),
    forbid(
      'nothing-imports-web',
      'The page is bundled, never imported.',
      { path: daemon },
      { path: '^web/' },
    ),
    forbid(
      'nothing-ships-tests',
      'Tests, benches and scripts are not part of the product.',
      { path: '^(packages|journal|projections|src|web)/', pathNot: packageTest },
      { path: ['^(test|bench|scripts)/', packageTest] },
    ),
    forbid(
      'only-the-root-knows-its-faces',
      'HTTP, sockets and commands are made by the composition root alone.',
      { path: '^src/', pathNot: [faces, '^src/(main|daemon)\\.ts$'] },
      { path: faces },
    ),
    forbid(
      'sockets-know-no-http',
      'Two faces of the same house.',
      { path: '^src/socket/' },
      { path: '^src/http/' },
    ),
    forbid(
      'persona-knows-no-agents',
      'What may happen does not depend on who is awake.',
      { path: '^src/persona/' },
      { path: '^src/agents/' },
    ),
    forbid(
      'packages-know-no-persona',
      'A package uses other packages, and of the journal its values and errors.',
      { path: '^packages/', pathNot: packageTest },
      {
        path: daemon,
        pathNot: [
          '^packages/',
          '^journal/facts/(fact-values|organ-table)\\.ts$',
          '^journal/files/places\\.ts$',
          '^journal/log/(errors|journal|timeout)\\.ts$',
        ],
      },
    ),
    forbid(
      'no-cycles',
      'A cycle has no first file to read.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'no-orphans',
      'What nothing imports is dead.',
      {
        orphan: true,
        path: '\\.ts$',
        pathNot: ['\\.d\\.ts$', '\\.test\\.ts$', '^bench/', '^src/(main|loader)\\.ts$', '^web/main\\.ts$'],
      },
      {},
    ),
    forbid('nothing-unresolved', 'An import that leads nowhere.', {}, { couldNotResolve: true }),
    forbid(
      'nothing-undeclared',
      'A package that is not in package.json.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    forbid(
      'nothing-shipped-needs-tools',
      'What is imported is bundled and shipped, so it belongs into dependencies, where an audit finds it.',
      { path: '^(packages|journal|projections|src|web)/', pathNot: packageTest },
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
