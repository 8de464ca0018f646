/**
 * Who may import whom. `journal` ← `projections` ← `src`, and `web` apart; inside each, a folder stands above
 * what it uses: the lists below name the folders from the bottom up, and an arrow to a later one is an error,
 * for types too.
 */

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const daemon = '^(journal|projections|src)/'
const faces = '^src/(http|socket|cli)/'

/** From the bottom up. */
const floors = {
  journal: ['facts', 'log', 'files', 'leveldb', 'jetstream'],
  src: [
    ...[
      'version\\.ts',
      'files/',
      'log\\.ts',
      'is-object\\.ts',
      'secret-judge\\.ts',
      'masked\\.ts',
      'time/',
      'flow/',
      'processes/',
      'network/',
      'models/',
      'platform-table\\.ts',
      'config\\.ts',
      'home-upgrade\\.ts',
      'home-lock\\.ts',
      'home-mark\\.ts',
      'journal-engine\\.ts',
    ],
    'web-channel\\.ts',
    ...[
      'bus\\.ts',
      'persona/',
      'documents/',
      'search/',
      'diary/',
      'calendar/',
      'mcp/client/',
      'web-reading/',
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
  'src/models': [
    '[^/]+\\.ts',
    'practice/',
    'ollama/',
    'providers/',
    'prices\\.ts',
    'open-models\\.ts',
    'open-embedder\\.ts',
  ],
  'src/mind': ['prompt/', '[^/]+\\.ts', 'import/', 'memory/', 'tools/'],
}

const upwards = Object.entries(floors).flatMap(([folder, names]) =>
  names.slice(0, -1).map((name, n) =>
    forbid(
      `${folder}-${name.replace(/\W+/g, '-')}-looks-down`,
      'A folder stands above what it uses.',
      {
        path: `^${folder}/${name}`,
        pathNot: names
          .slice(n + 1)
          .filter((above) => !above.startsWith('['))
          .map((above) => `^${folder}/${above}`),
      },
      { path: names.slice(n + 1).map((above) => `^${folder}/${above}`), pathNot: [`^${folder}/${name}`] },
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
      { path: '^(projections|src)/' },
    ),
    forbid(
      'projections-know-facts-alone',
      'Conclusions depend on facts, never on decisions.',
      { path: '^projections/' },
      { path: '^src/' },
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
      { path: '^(journal|projections|src|web)/' },
      { path: '^(test|bench|scripts)/' },
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
      'models-know-no-house',
      'Models are asked by the house and know nothing of it.',
      { path: '^src/models/' },
      {
        path: daemon,
        pathNot: [
          '^journal/',
          '^src/models/',
          '^src/(log|is-object)\\.ts$',
          '^src/(time|files|flow|network)/',
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
      { path: '^(journal|projections|src|web)/' },
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
