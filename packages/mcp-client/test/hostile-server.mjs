/** A server that violates the protocol: `node hostile-server.mjs <misdeed…>`, over stdin and stdout. */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const misdeeds = new Set(process.argv.slice(2))
const does = (misdeed) => misdeeds.has(misdeed)
if (process.env.HOSTILE_NOTE) appendFileSync(process.env.HOSTILE_NOTE, `started ${process.pid}\n`)

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answer = (id, result) => send({ id, result })
const text = (words) => ({ content: [{ type: 'text', text: words }] })
const say = (words) => process.stderr.write(`${words}\n`)

let listings = 0
let requestCount = 0
const answers = new Map()
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `asked-${++requestCount}`
    answers.set(id, resolve)
    send({ id, method, params })
  })

const tool = (name, description = 'A tool.') => ({ name, description, inputSchema: { type: 'object' } })
const names =
  'echo huge huge-text die hang flood ask progress change files many-files structured deep env fail'.split(
    ' ',
  )

const tools = () => {
  listings++
  if (does('changes')) return [tool('echo', `Echo number ${listings}.`), tool('change')]
  if (does('many')) return Array.from({ length: 700 }, (_, n) => tool(`tool_${n}`))
  if (does('odd'))
    return [
      tool('good'),
      tool('large', 'x'.repeat(70 * 1024)),
      tool('good', 'A second of that name.'),
      { name: 'no-schema' },
      tool('bad name\n'),
      {
        ...tool('deep'),
        inputSchema: JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(60)}{}${'}}'.repeat(60)}`),
      },
    ]
  if (does('tells')) return [tool('echo', `It knows ${process.env.TOKEN}.`)]
  return names.map((name) => tool(name))
}

const page = ({ cursor }) => {
  if (does('endless'))
    return { tools: [tool(`page_${cursor ?? 0}`)], nextCursor: String(Number(cursor ?? 0) + 1) }
  return { tools: tools() }
}

const calls = {
  echo: (_, args) => text(JSON.stringify(args)),
  huge: () =>
    process.stdout.write(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`) &&
    spill(100),
  'huge-text': () => text('é'.repeat(100_000)),
  die: () => {
    say('the disk is on fire')
    say(`\u001b[31mmy token is ${process.env.TOKEN}\u001b[0m`)
    process.exit(3)
  },
  hang: () => undefined,
  flood: () => {
    for (let n = 0; n < 20_000; n++) say(`line ${n} ${'x'.repeat(1000)}`)
    return text('flooded')
  },
  ask: async () => {
    const all = await Promise.all([
      ask('sampling/createMessage', { messages: [], maxTokens: 1 }),
      ask('elicitation/create', {
        message: 'Your password?',
        requestedSchema: { type: 'object', properties: {} },
      }),
      ask('roots/list', {}),
    ])
    return text(all.map(({ error }) => error?.code).join(' '))
  },
  progress: async (token) => {
    for (let n = 0; n < 8; n++) {
      await new Promise((resolve) => setTimeout(resolve, 150))
      send({ method: 'notifications/progress', params: { progressToken: token, progress: n } })
    }
    return does('never-ends') ? undefined : text('done')
  },
  change: () => {
    for (let n = 0; n < 100; n++) send({ method: 'notifications/tools/list_changed' })
    return text('changed')
  },
  files: () => ({
    content: [
      { type: 'image', data: Buffer.from('a picture').toString('base64'), mimeType: 'image/png' },
      { type: 'audio', data: Buffer.from('a sound').toString('base64'), mimeType: 'audio/mpeg' },
      { type: 'resource', resource: { uri: 'file:///a/../b/notes.txt', text: 'the notes' } },
      {
        type: 'resource',
        resource: { uri: 'file:///x/data.bin', blob: Buffer.from('bytes').toString('base64') },
      },
      { type: 'resource_link', uri: 'https://example.org/a', name: 'a', description: 'about a' },
    ],
  }),
  'many-files': () => ({
    content: Array.from({ length: 14 }, () => ({ type: 'image', data: 'AAAA', mimeType: 'image/png' })),
  }),
  structured: () => ({ content: [], structuredContent: { degrees: 21, secret: process.env.TOKEN ?? null } }),
  deep: () => ({ content: [], structuredContent: JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) }),
  env: () => text(JSON.stringify(process.env)),
  fail: () => ({ ...text('it cannot be done'), isError: true }),
}

const spill = (megabytes) => {
  if (megabytes > 0) process.stdout.write('x'.repeat(1024 * 1024), () => spill(megabytes - 1))
}

const createInitialized = (version) => ({
  protocolVersion: does('wrong-version') ? '1999-01-01' : version,
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'hostile', version: '1' },
})

const onMessage = async ({ id, method, params = {}, ...rest }) => {
  if (method === undefined) return answers.get(id)?.(rest)
  if (process.env.HOSTILE_NOTE) appendFileSync(process.env.HOSTILE_NOTE, `${method}\n`)
  if (id === undefined) return
  if (method === 'server/discover') {
    if (does('dies-at-discover')) process.exit(9)
    return does('hangs-at-discover')
      ? undefined
      : send({ id, error: { code: -32601, message: 'Method not found' } })
  }
  if (method === 'initialize') {
    if (does('dies-at-start')) {
      say('I need a TOKEN')
      process.exit(4)
    }
    return does('hangs-at-start') ? undefined : answer(id, createInitialized(params.protocolVersion))
  }
  if (method === 'tools/list') return does('hangs-at-list') ? undefined : answer(id, page(params))
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'Method not found' } })
  const result = await calls[params.name]?.(params._meta?.progressToken, params.arguments)
  if (result && result !== true) answer(id, result)
}

if (does('ignores-signals'))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
if (does('stays')) setInterval(() => undefined, 1000)
if (does('has-child')) {
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
  if (process.env.HOSTILE_NOTE) appendFileSync(process.env.HOSTILE_NOTE, `child ${child.pid}\n`)
}
if (does('is-no-server')) for (let n = 0; n < 3; n++) console.log('Welcome to the \u001b[1mshop\u001b[0m!')
if (does('prints')) console.log('listening …')
createInterface({ input: process.stdin }).on('line', (line) => {
  if (!does('is-no-server')) void onMessage(JSON.parse(line))
})
if (!does('stays') && !does('has-child')) process.stdin.on('end', () => process.exit(0))
