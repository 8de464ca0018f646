/**
 * The folders of the code from the bottom up, each with its contents. A folder may import only folders above it
 * in its list. `.dependency-cruiser.cjs` makes the import rules from this list, and `test/docs/made-pages.ts` the
 * table in docs/explanation/architecture.md. A name is a regular expression.
 */
exports.folders = {
  packages: {
    'kit/': 'clock, log, locks, pools, back-off, HTTP client, child processes, file signatures',
    'leveldb-reader/': 'reads the files of LevelDB without LevelDB',
    'documents/': 'text of a file: PDF, Office, OpenDocument, EPUB, mail, RTF, archives',
    'web-reading/': 'text of a web page',
    'models/': 'providers of language models, Ollama, prices',
    'practice-mind/': 'a rule-based stand-in for a model',
    'mcp-client/': 'tool servers (Model Context Protocol)',
    'history-import/': 'conversations exported from other programs',
  },
  journal: {
    facts:
      'one row per kind of fact: fields, versions, and its effect on index, search, state, sockets and agents',
    log: 'records, hash chain, batches, deduplication, snapshots, verification, salvage',
    files: 'files beside the journal: home, media, secrets, diaries, trash',
    leveldb: 'the LevelDB engine, and recovery of a database that cannot be opened',
  },
  projections: {
    '': 'pure folds: facts to state, conversation, knowledge, calendar, usage',
  },
  src: {
    'open-models\\.ts': 'connects the providers',
    'platform-table\\.ts': 'one row per chat platform',
    'config\\.ts': 'settings, read once at the start',
    'home-upgrade\\.ts': 'migrates the format of the home',
    'home-lock\\.ts': 'one daemon per home',
    'home-mark\\.ts': 'cluster state of a home',
    'cluster/jetstream/': 'the NATS JetStream engine',
    'journal-engine\\.ts': 'chooses the engine',
    'web-channel\\.ts': 'the channel of the page',
    'bus\\.ts': 'publishes commits',
    'persona/':
      'the gate that serializes commands, time travel, forks, undo; `rules/` decides, one file per subject',
    'search/': 'full-text and vector search',
    'diary/': 'encrypted backups',
    'calendar/': 'calendar entries',
    'skills/': 'skills: instructions and files that a persona loads when needed',
    'mind/': '`prompt/`, `memory/`, `tools/` (one file per tool)',
    'tool-servers/': 'declared tool servers and their approval',
    'agents/': 'the turn loop, senses, consolidation, reminders',
    'commands/': 'every command that a user or a program can give',
    'health/': 'diagnosis',
    'channels/': 'chat platforms, outbox, pairing',
    'web-push/': 'push notifications',
    'metrics/': 'Prometheus metrics',
    'cluster/': 'leases, routing between daemons, failover',
    'mcp/server/': 'a persona as an MCP server',
    'http/': 'routes and server',
    'socket/': 'WebSockets',
    'daemon\\.ts': 'the composition root',
    'cli/': 'the command line',
    'main\\.ts': 'the entry point',
  },
  'packages/models': {
    '[^/]+\\.ts': 'interfaces',
    'ollama/': 'local models',
    'providers/': 'one row and one adapter per provider',
    'prices\\.ts': 'prices per token',
    'open-embedder\\.ts': 'embeddings',
  },
  'src/mind': {
    'prompt/': 'the parts of a prompt',
    '[^/]+\\.ts': 'interfaces and limits',
    'memory/': 'consolidation and provenance',
    'tools/': 'one file per tool',
  },
}
