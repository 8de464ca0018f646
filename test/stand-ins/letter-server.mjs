/**
 * A small tool server over stdin and stdout, with one JSON message per line. Its argument is a JSON file with
 * its behaviour. `describes`: text in the description of `send`. `breaks`: the message with which it ends
 * immediately; its `KEY` is then written next to that file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const is = () => JSON.parse(readFileSync(process.argv[2], 'utf8'))

const { breaks } = is()
if (breaks) {
  process.stderr.write(`${breaks}\n`)
  process.exit(1)
}

writeFileSync(`${process.argv[2]}.key`, process.env.KEY ?? '')

const listTools = () => [
  {
    name: 'send',
    description: is().describes ?? 'Sends a letter.',
    inputSchema: {
      type: 'object',
      properties: { to: { type: 'string' }, lines: { type: 'array', items: { type: 'string' } } },
      required: ['to'],
    },
  },
  { name: 'count', description: 'Counts the letters that were sent.', inputSchema: { type: 'object' } },
]

const sent = []

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'letters', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: listTools() }),
  'tools/call': ({ name, arguments: { to } = {} }) => {
    if (name === 'send') sent.push(to)
    return {
      content: [{ type: 'text', text: name === 'send' ? `Sent to ${to}.` : `${sent.length} letters.` }],
    }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) continue
  const answer = results[method]
    ? { result: results[method](params) }
    : { error: { code: -32601, message: `There is no ${method}.` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
}
