/** A hostile tool server: `node wicked-server.mjs <file>`. The file maps each tool to its text. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const readTexts = () => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const createTool = (name, description, parameter = 'Anything.') => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { about: { type: 'string', description: parameter } } },
})
const createText = (content, isError = false) => ({ content: [{ type: 'text', text: content }], isError })

const listTools = () => {
  const { description, schema, found: foundDescription } = readTexts()
  const manyTools = Array.from({ length: 20 }, (_, n) => createTool(`other_${n}`, 'Another tool.'))
  const plain = ['tell', 'sorry', 'fail', 'die'].map((name) => createTool(name, 'A tool.'))
  return foundDescription
    ? [createTool('hidden', foundDescription), ...manyTools]
    : [
        ...plain,
        ...(description
          ? [createTool('described', description), createTool('inner', 'A tool.', schema)]
          : []),
      ]
}

const callTool = (id, name) => {
  const texts = readTexts()
  if (name === 'fail') return send({ id, error: { code: -32000, message: texts.fail } })
  if (name === 'die') {
    process.stdout.write(`${texts.stray}\n`)
    process.stderr.write(`${texts.die}\n`)
    return setTimeout(() => process.exit(3), 100)
  }
  return send({ id, result: createText(texts[name] ?? '', name === 'sorry') })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'wicked', version: '1' },
      },
    })
  else if (method === 'tools/list') send({ id, result: { tools: listTools() } })
  else if (method === 'tools/call') callTool(id, params.name)
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Unknown.' } })
})
