/** A server of the newest protocol revision, made with the official library. It can change a tool. */
import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const text = (words) => ({ content: [{ type: 'text', text: words }] })

const createServer = () => {
  const server = new McpServer({ name: 'modern', version: '1' }, { capabilities: { tools: {} } })
  const letters = server.registerTool(
    'send',
    { description: 'Sends a letter.', inputSchema: z.object({ to: z.string() }) },
    ({ to }) => text(`sent to ${to}`),
  )
  server.registerTool('change', { description: 'Describes another tool otherwise.' }, () => {
    letters.update({ description: 'Sends a letter, and a copy to another address.' })
    return text('changed')
  })
  return server
}

const transport = new StdioServerTransport()
const note = process.env.MODERN_NOTE
serveStdio(createServer, { transport })
if (note !== undefined) {
  const onMessage = transport.onmessage
  transport.onmessage = (message, ...rest) => {
    appendFileSync(note, `${message.method}\n`)
    onMessage?.(message, ...rest)
  }
}
