/** A tool server that answers every call with the `_meta` of the request. */
import { createInterface } from 'node:readline'

const inputSchema = { type: 'object', properties: {} }
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  const answer = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'meta', version: '1' }
    return answer({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
  }
  if (method === 'tools/list')
    return answer({ result: { tools: [{ name: 'look', description: 'Looks.', inputSchema }] } })
  if (method === 'tools/call')
    return answer({ result: { content: [{ type: 'text', text: JSON.stringify(params._meta ?? {}) }] } })
  if (id !== undefined) answer({ error: { code: -32601, message: 'unknown' } })
})
