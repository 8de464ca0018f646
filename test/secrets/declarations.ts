/**
 * Declarations of tool servers from their documentation, with invented values. «…» marks a secret, ‹…› a
 * value that the user is asked about; everything else is plain. `{b36}` is replaced by 36 random characters:
 * b letters and digits, u the same with `-` and `_`, l lower case letters and digits, h hex, A capitals and
 * digits, d digits; `{uuid}` by a UUID. So no secret scanner takes a value for a leaked key.
 */
import { randomUUID } from 'node:crypto'

export interface Declaration {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the reference to an environment variable in a configuration. */
export const variable = (name: string): string => ['$', `{${name}}`].join('')

const npx = (...args: readonly string[]): Declaration => ({ command: 'npx', args: ['-y', ...args] })
const docker = (...args: readonly string[]): Declaration => ({
  command: 'docker',
  args: ['run', '-i', '--rm', ...args],
})

export const declarations: Readonly<Record<string, Declaration>> = {
  'github, npx': {
    ...npx('@modelcontextprotocol/server-github'),
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: '«ghp_{b36}»' },
  },
  'github, docker with a name': {
    ...docker('-e', 'GITHUB_PERSONAL_ACCESS_TOKEN', 'ghcr.io/github/github-mcp-server'),
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: '«github_pat_{b22}_{b59}»' },
  },
  'github, docker with a value': docker(
    '-e',
    'GITHUB_TOKEN=«ghp_{b36}»',
    'ghcr.io/github/github-mcp-server:latest',
  ),
  'github, remote': {
    url: 'https://api.githubcopilot.com/mcp/',
    headers: { Authorization: 'Bearer «gho_{b36}»' },
  },
  'github, readonly toolsets': docker(
    ...['-e', 'GITHUB_TOOLSETS=repos,issues,pull_requests', '-e', 'GITHUB_READ_ONLY=1'],
    ...['-e', 'GITHUB_HOST=https://github.example.com', 'ghcr.io/github/github-mcp-server:v0.13.0'],
  ),
  filesystem: npx(
    '@modelcontextprotocol/server-filesystem',
    '/Users/ada/Desktop',
    '/home/ada/Documents/2024 taxes',
  ),
  'filesystem, windows': npx('@modelcontextprotocol/server-filesystem', 'C:\\Users\\Ada\\Documents'),
  memory: {
    ...npx('@modelcontextprotocol/server-memory'),
    env: { MEMORY_FILE_PATH: '/home/ada/memory.jsonl' },
  },
  everything: npx('@modelcontextprotocol/server-everything', 'streamableHttp'),
  git: { command: 'uvx', args: ['mcp-server-git', '--repository', '/home/ada/projects/daimon.git'] },
  'git at a commit': {
    command: 'uvx',
    args: [
      '--from',
      'git+https://github.com/oraios/serena@{h40}',
      'serena',
      'start-mcp-server',
      '--context',
      'ide-assistant',
    ],
  },
  time: { command: 'uvx', args: ['mcp-server-time', '--local-timezone=America/New_York'] },
  fetch: {
    command: 'uvx',
    args: ['mcp-server-fetch', '--ignore-robots-txt', '--user-agent=Mozilla/5.0 (X11; Linux x86_64)'],
  },
  'sequential thinking': npx('@modelcontextprotocol/server-sequential-thinking'),
  'postgres, npx': npx('@modelcontextprotocol/server-postgres', 'postgresql://localhost/mydb'),
  'postgres, password': npx(
    '@modelcontextprotocol/server-postgres',
    'postgresql://app:«{b12}»@db.example.com:5432/app?sslmode=require',
  ),
  'postgres, default password': npx(
    '@modelcontextprotocol/server-postgres',
    'postgres://postgres:‹postgres›@localhost:5432/shop',
  ),
  'postgres, docker': docker(
    '-e',
    'DATABASE_URI=postgresql://ada:«{b16}»@localhost:5432/shop',
    'crystaldba/postgres-mcp',
    '--access-mode=unrestricted',
  ),
  sqlite: { command: 'uvx', args: ['mcp-server-sqlite', '--db-path', '~/test.db'] },
  mysql: {
    ...npx('@benborla29/mcp-server-mysql'),
    env: {
      MYSQL_HOST: '127.0.0.1',
      MYSQL_PORT: '3306',
      MYSQL_USER: 'root',
      MYSQL_PASS: '«{b10}»',
      MYSQL_DB: 'shop',
      ALLOW_INSERT_OPERATION: 'false',
    },
  },
  'mssql, connection string': npx(
    'mssql-mcp',
    'Server=tcp:db.example.com,1433;Database=shop;User Id=ada;Password=«{b12}»;Encrypt=true',
  ),
  mongodb: npx(
    'mongodb-mcp-server@latest',
    '--connectionString',
    'mongodb+srv://ada:«{b14}»@cluster0.ab1cd.mongodb.net/shop?retryWrites=true',
    '--readOnly',
  ),
  'mongodb, atlas': {
    ...npx('mongodb-mcp-server@latest'),
    env: { MDB_MCP_API_CLIENT_ID: '‹mdb_sa_id_{h24}›', MDB_MCP_API_CLIENT_SECRET: '«mdb_sa_sk_{u40}»' },
  },
  redis: docker(
    '-e',
    'REDIS_HOST=redis-12345.c1.us-east-1-2.ec2.cloud.redislabs.com',
    '-e',
    'REDIS_PWD=«{b20}»',
    'mcp/redis',
  ),
  'redis, url': npx('@modelcontextprotocol/server-redis', 'redis://default:«{b24}»@redis.example.com:6379/0'),
  brave: {
    ...npx('@brave/brave-search-mcp-server', '--transport', 'stdio'),
    env: { BRAVE_API_KEY: '«BSA{u28}»' },
  },
  'brave, docker': docker('-e', 'BRAVE_API_KEY=«BSA{u28}»', 'docker.io/mcp/brave-search'),
  tavily: {
    command: 'npx',
    args: ['-y', 'mcp-remote', 'https://mcp.tavily.com/mcp/?tavilyApiKey=«tvly-dev-{b32}»'],
  },
  'tavily, env': { ...npx('tavily-mcp@0.2.3'), env: { TAVILY_API_KEY: '«tvly-{b32}»' } },
  exa: { url: 'https://mcp.exa.ai/mcp?exaApiKey=«{uuid}»&tools=web_search_exa,get_code_context_exa' },
  firecrawl: { url: 'https://mcp.firecrawl.dev/«fc-{h32}»/v2/mcp' },
  'firecrawl, shell': {
    command: 'env',
    args: ['FIRECRAWL_API_KEY=«fc-{h32}»', 'npx', '-y', 'firecrawl-mcp'],
  },
  zapier: { url: 'https://mcp.zapier.com/api/mcp/s/«{b64}»/mcp' },
  'zapier, id': { url: 'https://actions.zapier.com/mcp/‹{uuid}›/sse' },
  pipedream: { url: 'https://mcp.pipedream.net/‹{uuid}›/slack' },
  composio: {
    url: 'https://mcp.composio.dev/composio/server/‹{uuid}›/mcp?include_composio_helper_actions=true',
  },
  smithery: {
    ...npx(
      '@smithery/cli@latest',
      'run',
      '@upstash/context7-mcp',
      '--key',
      '«{uuid}»',
      '--profile',
      'quick-tapir-h3Kd0x',
    ),
  },
  'smithery, config': {
    ...npx(
      '@smithery/cli@latest',
      'run',
      'exa',
      '--config',
      '{"exaApiKey":"«{uuid}»","debug":false,"limit":10}',
    ),
  },
  'smithery, url': { url: 'https://server.smithery.ai/exa/mcp?api_key=«{uuid}»&profile=quick-tapir' },
  context7: { url: 'https://mcp.context7.com/mcp', headers: { CONTEXT7_API_KEY: '«ctx7sk-{uuid}»' } },
  'context7, option': npx('@upstash/context7-mcp', '--api-key', '«ctx7sk-{uuid}»'),
  linear: { url: 'https://mcp.linear.app/mcp', headers: { Authorization: 'Bearer «lin_api_{b40}»' } },
  notion: {
    ...npx('@notionhq/notion-mcp-server'),
    env: { OPENAPI_MCP_HEADERS: '{"Authorization": "Bearer «ntn_{b46}»", "Notion-Version": "2022-06-28" }' },
  },
  'notion, token': { ...npx('@notionhq/notion-mcp-server'), env: { NOTION_TOKEN: '«ntn_{b46}»' } },
  slack: {
    ...npx('@modelcontextprotocol/server-slack'),
    env: {
      SLACK_BOT_TOKEN: '«xoxb-{d12}-{d13}-{b24}»',
      SLACK_TEAM_ID: 'T01234567',
      SLACK_CHANNEL_IDS: 'C01234567, C76543210',
    },
  },
  'slack, browser': {
    ...npx('slack-mcp-server@latest', '--transport', 'stdio'),
    env: { SLACK_MCP_XOXC_TOKEN: '«xoxc-{d12}-{d12}-{h64}»', SLACK_MCP_XOXD_TOKEN: '«xoxd-{b90}»' },
  },
  'google maps': {
    ...npx('@modelcontextprotocol/server-google-maps'),
    env: { GOOGLE_MAPS_API_KEY: '«AIza{u35}»' },
  },
  'google drive': {
    ...npx('@modelcontextprotocol/server-gdrive'),
    env: { GDRIVE_CREDENTIALS_PATH: '/home/ada/.config/gdrive/credentials.json' },
  },
  'google workspace': {
    command: 'uvx',
    args: ['workspace-mcp', '--tool-tier', 'core'],
    env: {
      GOOGLE_OAUTH_CLIENT_ID: '‹{d12}-{l32}.apps.googleusercontent.com›',
      GOOGLE_OAUTH_CLIENT_SECRET: '«GOCSPX-{u28}»',
      OAUTHLIB_INSECURE_TRANSPORT: '1',
    },
  },
  'google cloud': {
    ...npx('@google-cloud/cloud-run-mcp'),
    env: {
      GOOGLE_CLOUD_PROJECT: 'my-project-418203',
      GOOGLE_CLOUD_REGION: 'europe-west1',
      DEFAULT_SERVICE_NAME: 'web',
    },
  },
  bigquery: docker(
    '-v',
    '/home/ada/key.json:/key.json',
    'mcp/bigquery',
    '--project-id',
    'my-project-418203',
    '--location',
    'us-central1',
    '--key-file',
    '/key.json',
  ),
  gitlab: {
    ...npx('@zereight/mcp-gitlab'),
    env: {
      GITLAB_PERSONAL_ACCESS_TOKEN: '«glpat-{u20}»',
      GITLAB_API_URL: 'https://gitlab.com/api/v4',
      USE_PIPELINE: 'true',
    },
  },
  'gitlab, option': npx(
    '@zereight/mcp-gitlab',
    '--token=«glpat-{u20}»',
    '--api-url=https://gitlab.example.com/api/v4',
  ),
  'azure devops': { ...npx('@azure-devops/mcp', 'contoso', '-d', 'core', 'work', 'work-items') },
  'azure devops, pat': npx('azure-devops-mcp', '--org', 'contoso', '--pat', '«{l52}»'),
  'azure, sas': { url: 'https://contoso.azurewebsites.net/runtime/webhooks/mcp/sse?code=«{u54}==»' },
  aws: {
    command: 'uvx',
    args: ['awslabs.aws-documentation-mcp-server@latest'],
    env: {
      AWS_ACCESS_KEY_ID: '«AKIA{A16}»',
      AWS_SECRET_ACCESS_KEY: '«{b40}»',
      AWS_REGION: 'us-east-1',
      FASTMCP_LOG_LEVEL: 'ERROR',
      AWS_DOCUMENTATION_PARTITION: 'aws',
    },
  },
  'aws, profile': {
    command: 'uvx',
    args: ['awslabs.cdk-mcp-server@latest'],
    env: { AWS_PROFILE: 'production', AWS_REGION: 'eu-central-1' },
  },
  cloudflare: npx('mcp-remote', 'https://observability.mcp.cloudflare.com/mcp'),
  // The names do not distinguish an account from a key: the account is stored as a secret, too.
  'cloudflare, token': {
    ...npx('@cloudflare/mcp-server-cloudflare', 'run', '«{h32}»'),
    env: { CLOUDFLARE_API_TOKEN: '«{u40}»', CLOUDFLARE_ACCOUNT_ID: '{h32}' },
  },
  sentry: npx('@sentry/mcp-server@latest', '--access-token=«sntryu_{h64}»', '--host=sentry.example.com'),
  stripe: npx('@stripe/mcp@latest', '--tools=all', '--api-key=«sk_test_{b24}»'),
  'stripe, remote': { url: 'https://mcp.stripe.com', headers: { Authorization: 'Bearer «rk_live_{b40}»' } },
  supabase: npx(
    '@supabase/mcp-server-supabase@latest',
    '--read-only',
    '--project-ref=‹kzqpvwxhtbrnlmcdjfsg›',
    '--access-token',
    '«sbp_{h40}»',
  ),
  neon: npx('@neondatabase/mcp-server-neon', 'start', '«napi_{l64}»'),
  'neon, option': npx(
    'mcp-remote@latest',
    'https://mcp.neon.tech/mcp',
    '--header',
    'Authorization: Bearer «napi_{l64}»',
  ),
  figma: npx('figma-developer-mcp', '--figma-api-key=«figd_{u40}»', '--stdio'),
  'figma, local': { url: 'http://127.0.0.1:3845/mcp' },
  atlassian: docker(
    ...[
      '-e',
      'CONFLUENCE_URL=https://contoso.atlassian.net/wiki',
      '-e',
      'CONFLUENCE_USERNAME=ada@example.com',
    ],
    ...['-e', 'CONFLUENCE_API_TOKEN=«ATATT3xFfGF0{u160}»', 'ghcr.io/sooperset/mcp-atlassian:latest'],
  ),
  'atlassian, options': {
    command: 'uvx',
    args: [
      'mcp-atlassian',
      '--jira-url',
      'https://jira.example.com',
      '--jira-personal-token',
      '«{b44}»',
      '--no-jira-ssl-verify',
    ],
  },
  'home assistant': {
    command: 'mcp-proxy',
    args: ['http://homeassistant.local:8123/mcp_server/sse'],
    env: { API_ACCESS_TOKEN: '«eyJ{u33}.{u60}.{u43}»' },
  },
  'mcp-remote, header': npx(
    'mcp-remote',
    'https://remote.mcp.server/sse',
    '--header',
    `Authorization:${variable('AUTH_HEADER')}`,
    '--transport',
    'http-only',
  ),
  'mcp-remote, port': npx('mcp-remote', 'https://remote.mcp.server/sse', '9696', '--allow-http', '--debug'),
  supergateway: npx('supergateway', '--sse', 'https://mcp.example.com/sse', '--oauth2Bearer', '«{b48}»'),
  openai: {
    ...npx('openai-mcp'),
    env: { OPENAI_API_KEY: '«sk-proj-{u156}»', OPENAI_MODEL: 'gpt-4o-mini-2024-07-18', MAX_TOKENS: '4096' },
  },
  perplexity: docker(
    '-e',
    'PERPLEXITY_API_KEY=«pplx-{b48}»',
    '-e',
    'PERPLEXITY_TIMEOUT_MS=600000',
    'mcp/perplexity-ask',
  ),
  elevenlabs: {
    command: 'uvx',
    args: ['elevenlabs-mcp'],
    env: { ELEVENLABS_API_KEY: '«sk_{h48}»', ELEVENLABS_MCP_BASE_PATH: '~/Desktop' },
  },
  huggingface: { url: 'https://huggingface.co/mcp', headers: { Authorization: 'Bearer «hf_{b34}»' } },
  replicate: { ...npx('replicate-mcp', '--tools=all'), env: { REPLICATE_API_TOKEN: '«r8_{b37}»' } },
  apify: { url: 'https://mcp.apify.com/?actors=apify/rag-web-browser&token=«apify_api_{b36}»' },
  telegram: {
    command: 'uv',
    args: ['--directory', '/home/ada/telegram-mcp', 'run', 'main.py'],
    env: { TELEGRAM_API_ID: '12345678', TELEGRAM_API_HASH: '«{h32}»', TELEGRAM_BOT: '«{d10}:AA{u33}»' },
  },
  discord: { ...npx('mcp-discord'), env: { DISCORD_TOKEN: '«MT{b24}.G{b5}.{u38}»', GUILD_ID: '{d18}' } },
  whatsapp: {
    command: '/home/ada/.local/bin/uv',
    args: ['--directory', '/home/ada/whatsapp-mcp/whatsapp-mcp-server', 'run', 'main.py'],
  },
  obsidian: {
    command: 'uvx',
    args: ['mcp-obsidian'],
    env: { OBSIDIAN_API_KEY: '«{h64}»', OBSIDIAN_HOST: '127.0.0.1', OBSIDIAN_PORT: '27124' },
  },
  todoist: { command: 'npx', args: ['-y', 'todoist-mcp'], env: { API_KEY: '«{h40}»' } },
  'twilio, pair': npx('@twilio-alpha/mcp', '«AC{h32}/SK{h32}:{b32}»', '--services', 'twilio_api_v2010'),
  playwright: npx(
    '@playwright/mcp@latest',
    '--browser=chromium',
    '--viewport-size=1280,720',
    '--storage-state=/tmp/state.json',
  ),
  'chrome devtools': npx(
    'chrome-devtools-mcp@latest',
    '--headless=true',
    '--isolated',
    '--browserUrl',
    'http://127.0.0.1:9222',
  ),
  puppeteer: docker('--init', '-e', 'DOCKER_CONTAINER=true', 'mcp/puppeteer@sha256:{h64}'),
  kubernetes: {
    ...npx('mcp-server-kubernetes'),
    env: { KUBECONFIG: '/home/ada/.kube/config', ALLOW_ONLY_NON_DESTRUCTIVE_TOOLS: 'true' },
  },
  terraform: docker('hashicorp/terraform-mcp-server:0.2.3', 'stdio', '--toolsets=registry'),
  grafana: docker(
    '-e',
    'GRAFANA_URL=http://host.docker.internal:3000',
    '-e',
    'GRAFANA_API_KEY=«glsa_{b32}_{h8}»',
    'mcp/grafana',
    '-t',
    'stdio',
  ),
  elasticsearch: {
    ...npx('@elastic/mcp-server-elasticsearch'),
    env: { ES_URL: 'https://es.example.com:9200', ES_API_KEY: '«{b60}==»' },
  },
  'qdrant, local': {
    command: 'uvx',
    args: ['mcp-server-qdrant'],
    env: {
      QDRANT_LOCAL_PATH: '/tmp/qdrant',
      COLLECTION_NAME: 'notes',
      EMBEDDING_MODEL: 'sentence-transformers/all-MiniLM-L6-v2',
    },
  },
  ollama: {
    ...npx('ollama-mcp'),
    env: { OLLAMA_HOST: 'http://127.0.0.1:11434', MODEL: 'llama3.1:8b-instruct-q4_K_M' },
  },
  'curl, basic': { command: 'curl-mcp', args: ['-u', 'ada:«{b14}»', 'https://api.example.com/v1/users'] },
  'curl, header': {
    command: 'curl-mcp',
    args: ['-H', 'X-Api-Key: «{b32}»', '-H', 'Accept: application/json'],
  },
  'option -k': { command: 'notes-mcp', args: ['-k', '«{b20}»', '-v', '--mode', 'weather'] },
  'option --bearer': { command: 'notes-mcp', args: ['--bearer', '«{b30}»', '--log-level', 'debug'] },
  'shell line': {
    command: 'bash',
    args: ['-c', 'API_KEY=«{b32}» NODE_ENV=production npx -y notes-mcp --port 8080'],
  },
  'shell line, option': {
    command: 'sh',
    args: ['-c', 'cd /srv/notes && node dist/index.js --auth-token «{h32}» --mode weather 2>/dev/null'],
  },
  'word as password': {
    command: 'notes-mcp',
    args: ['--user', 'ada', '--password', '‹swordfish›', '--theme', 'dark'],
  },
  'short pin': { command: 'bank-mcp', args: ['--pin', '«4711»', '--country', 'de'] },
  'moderately random': { command: 'notes-mcp', args: ['--channel', '‹x7Gk2pQ9zT›', '--locale', 'en-US'] },
  'switches about keys': {
    command: 'notes-mcp',
    args: [
      '--auth-mode',
      'oauth',
      '--token-limit',
      '4096',
      '--api-key-env',
      'NOTES_KEY',
      '--key-file=./key.pem',
      '--no-auth',
    ],
    env: {
      AUTH_ENABLED: 'true',
      TOKEN_TTL: '3600',
      AUTH_URL: 'https://login.example.com/oauth/authorize',
      PUBLIC_KEY_PATH: '/etc/key.pub',
    },
  },
  'from the environment': {
    ...npx(
      'notes-mcp',
      '--token',
      `${variable('NOTES_TOKEN')}`,
      '--key=$NOTES_KEY',
      '--port',
      `${variable('PORT:-8080')}`,
    ),
    env: { API_KEY: `${variable('input:api-key')}`, OTHER: '%OTHER%', THIRD_KEY: '<your key>' },
  },
  n8n: { url: 'https://n8n.example.com/mcp/‹{uuid}›/sse' },
  'slack webhook': {
    command: 'hook-mcp',
    args: ['https://hooks.slack.com/services/T00000000/B00000000/«{b24}»'],
  },
  'user in an address': { url: 'https://«{b40}»@mcp.example.com/sse' },
  'token in a path': { url: 'https://mcp.example.com/token/«{h24}»/sse' },
  'token in a git address': {
    command: 'uvx',
    args: ['--from', 'git+https://«ghp_{b36}»@github.com/ada/notes.git', 'notes'],
  },
  'ordinary address': {
    url: 'https://mcp.example.com/v1/auth/callback/notes?mode=weather&limit=50&lang=en-US&debug=true',
  },
  'aws host': { url: 'https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com/prod/mcp' },
  'deep path': {
    command: 'node',
    args: [
      '/home/ada/.nvm/versions/node/v20.11.1/lib/node_modules/@acme/mcp/dist/server.js',
      '--config=./config/production.yaml',
    ],
  },
}

const alphabets = {
  b: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  h: '0123456789abcdef',
  d: '0123456789',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
}

export const randomText = (alphabet: keyof typeof alphabets, length: number, random = Math.random): string =>
  Array.from({ length }, () => alphabets[alphabet][Math.floor(random() * alphabets[alphabet].length)]).join(
    '',
  )

/** Replaces `{b36}` and the other placeholders with random characters. */
export const fillTemplate = (text: string, random = Math.random): string =>
  text
    .replaceAll('{uuid}', () => randomUUID())
    .replace(/(?<!\$)\{([bhdlAu])(\d+)\}/g, (_, alphabet: keyof typeof alphabets, length: string) =>
      randomText(alphabet, Number(length), random),
    )
