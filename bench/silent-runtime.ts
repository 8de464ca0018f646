/**
 * A model runtime that knows every model. It answers until it is switched to silent, and then never answers
 * again.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const silentRuntime = async () => {
  let silent = false
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/api/chat' && silent) return
    const chat = {
      model: 'silent',
      message: { role: 'assistant', content: 'ok' },
      done: true,
      done_reason: 'stop',
    }
    const replies: Record<string, object> = {
      '/api/version': { version: '0.12.0' },
      '/api/tags': { models: [{ name: 'silent:latest' }] },
      '/api/show': { capabilities: ['completion'], model_info: {} },
      '/api/create': { status: 'success' },
      '/api/chat': chat,
    }
    response.end(`${JSON.stringify(replies[request.url ?? ''] ?? {})}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hush: () => {
      silent = true
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
