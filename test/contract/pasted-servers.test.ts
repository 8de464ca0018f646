/** Configurations of MCP servers as users paste them: every supported format, over HTTP. */
import { readFile } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationForms } from '../../src/tool-servers/configuration-forms.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)

const toVariable = (name: string) => ['$', '{', name, '}'].join('')
const github = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-github'] }
const linear = { url: 'https://mcp.linear.app/mcp' }

/** Name of the format, the text, and the servers in it. */
const rows: readonly (readonly [string, string, Record<string, object>])[] = [
  [
    'Claude Desktop',
    JSON.stringify({ globalShortcut: '', mcpServers: { github: { ...github, env: { A: '1' } } } }),
    { github: { ...github, env: { A: '1' } } },
  ],
  [
    'JSON with comments and trailing commas',
    '// mine\n{ "mcpServers": { /* one */ "github": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github",], }, }, }',
    { github },
  ],
  [
    'the inner part',
    '"github": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"] },',
    { github },
  ],
  ['a fenced block', `\`\`\`json\n${JSON.stringify({ mcpServers: { linear } })}\n\`\`\``, { linear }],
  ['Windsurf', JSON.stringify({ mcpServers: { linear: { serverUrl: linear.url } } }), { linear }],
  [
    'Gemini CLI',
    JSON.stringify({
      mcpServers: { linear: { httpUrl: linear.url, headers: { 'X-Team': 'a' }, trust: true, timeout: 5 } },
    }),
    { linear: { ...linear, headers: { 'X-Team': 'a' } } },
  ],
  [
    'Cline',
    JSON.stringify({
      mcpServers: { linear: { type: 'streamableHttp', ...linear, autoApprove: [], disabled: false } },
    }),
    { linear: { type: 'streamableHttp', ...linear } },
  ],
  [
    'VS Code, mcp.json',
    JSON.stringify({ servers: { linear: { type: 'sse', ...linear }, github: { type: 'stdio', ...github } } }),
    { linear: { type: 'sse', ...linear }, github: { type: 'stdio', ...github } },
  ],
  ['VS Code, settings', JSON.stringify({ 'editor.tabSize': 2, mcp: { servers: { github } } }), { github }],
  [
    'Zed',
    '{ "context_servers": { "github": { "source": "custom", "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"], "env": {} } } }',
    { github: { ...github, env: {} } },
  ],
  [
    'Zed, older versions',
    JSON.stringify({
      context_servers: { github: { command: { path: 'npx', args: github.args, env: null } } },
    }),
    { github },
  ],
  [
    'OpenCode',
    JSON.stringify({
      mcp: { github: { type: 'local', command: ['npx', ...github.args], environment: { A: 'b' } } },
    }),
    { github: { type: 'local', ...github, env: { A: 'b' } } },
  ],
  [
    'Codex',
    'model = "gpt"\n\n[mcp_servers.github]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-github"]\nenv_vars = ["GITHUB_TOKEN"]\n\n[mcp_servers.linear] # remote\nurl = "https://mcp.linear.app/mcp"\nbearer_token_env_var = "LINEAR_KEY"\n[mcp_servers.linear.http_headers]\nX-Team = "a"\n',
    {
      github: { ...github, env: { GITHUB_TOKEN: toVariable('GITHUB_TOKEN') } },
      linear: { ...linear, headers: { Authorization: `Bearer ${toVariable('LINEAR_KEY')}`, 'X-Team': 'a' } },
    },
  ],
  [
    'Continue',
    `name: x\nmcpServers:\n  - name: Git Hub\n    command: npx\n    args:\n      - -y\n      - "@modelcontextprotocol/server-github"\n    env:\n      KEY: $\{{ secrets.KEY }}\n  - name: linear\n    type: streamable-http\n    url: https://mcp.linear.app/mcp\n`,
    {
      'Git-Hub': { ...github, env: { KEY: toVariable('KEY') } },
      linear: { type: 'streamable-http', ...linear },
    },
  ],
  [
    'Continue, older versions',
    JSON.stringify({
      experimental: { modelContextProtocolServers: [{ transport: { type: 'stdio', ...github } }] },
    }),
    { github: { type: 'stdio', ...github } },
  ],
  ['one server', JSON.stringify(github), { github }],
  ['servers by their names', JSON.stringify({ github, linear }), { github, linear }],
  [
    'a whole line as the command',
    JSON.stringify({ mcpServers: { github: { command: 'npx -y @modelcontextprotocol/server-github' } } }),
    { github },
  ],
  [
    'a line of a shell',
    '$ A="b c" npx -y \\\n  @modelcontextprotocol/server-github',
    { github: { ...github, env: { A: 'b c' } } },
  ],
  [
    'docker',
    'docker run -i --rm -e KEY mcp/fetch',
    { fetch: { command: 'docker', args: ['run', '-i', '--rm', '-e', 'KEY', 'mcp/fetch'] } },
  ],
  [
    'uvx',
    'uvx mcp-server-git --repository $HOME/work',
    { git: { command: 'uvx', args: ['mcp-server-git', '--repository', `${toVariable('HOME')}/work`] } },
  ],
  ['an address', linear.url, { linear }],
  [
    'claude mcp add',
    'claude mcp add -s user -e A=b -e C=d github -- npx -y @modelcontextprotocol/server-github\nclaude mcp add --transport http linear https://mcp.linear.app/mcp --header "X-Team: a"',
    {
      github: { ...github, env: { A: 'b', C: 'd' } },
      linear: { type: 'http', ...linear, headers: { 'X-Team': 'a' } },
    },
  ],
  ['claude mcp add-json', `claude mcp add-json github '${JSON.stringify(github)}'`, { github }],
  [
    'codex mcp add',
    'codex mcp add github --env A=b -- npx -y @modelcontextprotocol/server-github',
    { github: { ...github, env: { A: 'b' } } },
  ],
  ['code --add-mcp', `code --add-mcp '${JSON.stringify({ name: 'hub', ...github })}'`, { hub: github }],
]

const readServers = async (personaPath: string, body: object) => setup.post(`${personaPath}/tools/read`, body)

// Fails if only an object mcpServers with command or url is read.
test('parses every format that users paste', async () => {
  const personaPath = await setup.home()
  for (const [format, text, expected] of rows) {
    const [status, answer] = await readServers(personaPath, { text })
    assert.is(status, 200, `${format}: ${answer.detail}`)
    const servers = Object.fromEntries(
      Object.entries<Record<string, unknown>>(answer.mcpServers).map(([name, entry]) => [
        name,
        Object.fromEntries(
          Object.entries(entry).filter(
            ([, value]) => !isEmpty(value) || JSON.stringify(expected).includes('{}'),
          ),
        ),
      ]),
    )
    assert.equal(servers, expected, format)
  }
})

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

test('imports the same formats as JSON', async () => {
  const personaPath = await setup.home()
  const [status, { servers }] = await setup.post(`${personaPath}/tools/import`, {
    inputs: [],
    servers: { remote: { type: 'http', url: 'https://mcp.example.test/x' } },
  })
  assert.is(status, 200)
  assert.equal(
    servers.map(({ name, transport }: { name: string; transport: string }) => [name, transport]),
    [['remote', 'http']],
  )
})

// Fails if valid servers are declared before an invalid one is refused.
test('imports all servers or none and reports the error of each', async () => {
  const personaPath = await setup.home()
  const [status, { detail }] = await setup.post(`${personaPath}/tools/import`, {
    mcpServers: {
      good: github,
      empty: { args: ['x'] },
      socket: { type: 'ws', url: 'wss://x.test' },
      '🦊': github,
      file: { ...github, envFile: '.env' },
      list: { command: 'x', args: 'y' },
      twice: { command: 'x' },
      'twice ': { command: 'x' },
      web: github,
    },
  })
  assert.is(status, 400)
  for (const sentence of [
    'empty: A tool server needs a command or a url.',
    'socket: The type "ws" is not supported: use stdio, http or sse.',
    '🦊: Its name needs a letter or digit.',
    'file: An envFile is not read: write its variables into env.',
    'list: args must be a list of words.',
  ])
    assert.ok(detail.includes(sentence), `${sentence}\n${detail}`)
  assert.not.match(detail, 'good:')
  const [statusCode] = await setup.post(`${personaPath}/tools/import`, {
    mcpServers: { good: github, web: github },
  })
  assert.is(statusCode, 400)
  const manyServers = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`s${n}`, github]))
  assert.is((await setup.post(`${personaPath}/tools/import`, { mcpServers: manyServers }))[0], 400)
  assert.equal((await setup.get(`${personaPath}/tools`))[1].servers, [])
})

test('reports unreadable text without quoting values from it', async () => {
  const personaPath = await setup.home()
  for (const [text, sentence] of [
    [
      '{\n "mcpServers": {\n "a": { "env": { "K": "sk-marked" } \n',
      /^This is no valid JSON: look at line \d\.$/,
    ],
    ['[mcp_servers.a]\nkey = sk-marked\n', /^This is no valid TOML: look at line 2\.$/],
    ['mcpServers:\n  - name: "sk-marked\n', /^This is no valid YAML: look at line \d\.$/],
    ['npx -y x --key "sk-marked', /^A quote " is opened and not closed\.$/],
    ['claude mcp add a --sk-marked=1 -- x', /^The option --sk-marked is not known here/],
    ['sk-marked', /^There is no server in this\./],
    ['{"theme": "sk-marked"}', /^There is no server in this\./],
  ] as const) {
    const [status, { detail }] = await readServers(personaPath, { text })
    assert.is(status, 400, text)
    assert.match(detail, sentence)
    if (!text.startsWith('claude')) assert.not.match(detail, 'sk-marked')
  }
})

// Fails if `servers` is not a known format, and if an input is not read as a reference.
test('asks for the inputs of VS Code and reads them from the environment if no value is given', async () => {
  const personaPath = await setup.home()
  const text = JSON.stringify({
    inputs: [
      { type: 'promptString', id: 'github-token', description: 'GitHub token', password: true },
      { type: 'promptString', id: 'unused', description: 'Not named', password: true },
    ],
    servers: { github: { ...github, args: [...github.args, '--token', toVariable('input:github-token')] } },
  })
  const [, parsed] = await readServers(personaPath, { text })
  assert.equal(parsed.inputs, [
    { id: 'github-token', description: 'GitHub token', secret: true, variable: 'GITHUB_TOKEN' },
  ])
  assert.equal(parsed.mcpServers.github.args.at(-1), toVariable('GITHUB_TOKEN'))
  const [, { servers }] = await setup.post(`${personaPath}/tools/import`, {
    text,
    input_values: { 'github-token': 'plain-looking' },
  })
  assert.equal(servers[0].server.args.at(-1), '***')
})

test('lists the supported formats in the how-to guide', async () => {
  const page = await readFile(new URL('../../docs/how-to/tools.md', import.meta.url), 'utf8')
  for (const { key, apps } of configurationForms) assert.ok(page.includes(`| \`${key}\` | ${apps} |`), key)
})

test.run()
