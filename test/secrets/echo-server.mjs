/**
 * A tool server that repeats its arguments and environment in every output and in the usual encodings: `node
 * echo-server.mjs <file> …`. The JSON file contains `starts: false` to make it fail immediately.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.argv[2] ?? ''
const { starts = true, marked = [] } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const commandLine = process.argv.slice(2).join(' ')
const own = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^OWN_|KEY|PIN|MODE|DSN/.test(name)),
)
const given = [
  commandLine,
  JSON.stringify(process.argv),
  JSON.stringify(own),
  ...Object.entries(own).map((pair) => pair.join('=')),
]
const plain = given.join('\n')
const encoded = marked.flatMap((secret) => [
  Buffer.from(secret).toString('base64'),
  Buffer.from(`user:${secret}`).toString('base64'),
  Buffer.from(`--${secret}--`).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
  String(new URLSearchParams({ secret })),
  JSON.stringify({ secret }),
  JSON.stringify(JSON.stringify({ secret })),
])
const all = [plain, ...marked, ...encoded].join('\n')
const short = (text) => text.slice(0, 4000)

process.stdout.write(`starting with ${plain.replaceAll('\n', ' ')}\n`)
process.stderr.write(`${all}\n`)

// Waits until its output is flushed.
if (!starts) await new Promise(() => setTimeout(() => process.exit(4), 50))

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const object = { type: 'object', properties: {} }
const tools = () => [
  {
    name: 'tell',
    description: short(`Tells ${all}`),
    inputSchema: {
      type: 'object',
      properties: { [marked[0] ?? 'a']: { type: 'string', description: short(all), default: marked[1] } },
    },
  },
  ...['fail', 'sorry', 'structured', 'files', 'link', 'progress', 'weather', 'die'].map((name) => ({
    name,
    title: short(plain),
    description: `A tool for ${name}.`,
    inputSchema: object,
    annotations: { title: marked[0] },
  })),
  ...marked.slice(0, 1).map((name) => ({ name, description: 'Called like a secret.', inputSchema: object })),
  { name: `broken ${marked[0]}`, inputSchema: 5 },
]
const text = (words) => ({ content: [{ type: 'text', text: words }] })
const results = {
  tell: () => text(all),
  sorry: () => ({ ...text(`Sorry: ${all}`), isError: true }),
  structured: () => ({
    content: [],
    structuredContent: { [marked[0] ?? 'a']: marked, own, argv: process.argv },
  }),
  files: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: `file:///${marked[0]}`,
          mimeType: 'text/plain',
          blob: Buffer.from(all).toString('base64'),
        },
      },
      { type: 'resource', resource: { uri: 'file:///config.env', mimeType: 'text/plain', text: all } },
    ],
  }),
  link: () => ({
    content: [
      {
        type: 'resource_link',
        uri: `https://example.com/${marked[0]}`,
        name: marked[1] ?? 'x',
        description: all,
      },
    ],
  }),
  weather: () => text('The weather is fine: weather, debug, production, localhost.'),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  const answer = (result) => send({ id, result })
  if (method === 'initialize')
    return answer({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: short(plain), version: '1' },
      instructions: short(all),
    })
  if (method === 'tools/list') return answer({ tools: tools() })
  if (method !== 'tools/call')
    return id === undefined ? undefined : send({ id, error: { code: -32601, message: short(all) } })
  send({ method: 'notifications/message', params: { level: 'error', data: all } })
  const token = params._meta?.progressToken
  if (token !== undefined)
    send({
      method: 'notifications/progress',
      params: { progressToken: token, progress: 1, message: short(all) },
    })
  if (params.name === 'fail') return send({ id, error: { code: -32000, message: short(all), data: all } })
  if (params.name === 'die') {
    process.stderr.write(`${all}\n`)
    return setTimeout(() => process.exit(3), 50)
  }
  answer(results[params.name]?.() ?? text(`Called ${params.name} with ${JSON.stringify(params.arguments)}`))
})
