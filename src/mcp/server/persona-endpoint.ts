/**
 * Every persona as a server of the Model Context Protocol, over Streamable HTTP: each request is served by
 * itself, so nothing is held between two of them.
 */
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createPersonaServer, type PersonaServerDeps } from './persona-server.ts'

export interface McpEndpoint {
  /** `body` is what the request held, as JSON. Must be asked for a persona that is known. */
  serve(asked: McpRequest): Promise<Response>
  close(): Promise<void>
}

export interface McpRequest {
  readonly persona: string
  readonly headers: Headers
  readonly body: unknown
  /** Nobody waits for the answer any more. */
  readonly gone: AbortSignal
}

export const openMcpEndpoint = (deps: PersonaServerDeps): McpEndpoint => {
  const handler = createMcpHandler(
    ({ requestInfo }) => createPersonaServer(deps, personaOf(requestInfo?.url ?? '')),
    { onerror: (err) => deps.log.debug({ err }, 'a request of an MCP client was not served') },
  )
  return {
    serve: ({ persona, headers, body, gone }) =>
      handler.fetch(new Request(urlOf(persona), { method: 'POST', headers, signal: gone }), {
        parsedBody: body,
      }),
    close: handler.close,
  }
}

// The library hands on the request alone: its address tells whose it is.
const urlOf = (persona: string): string => `http://localhost/${encodeURIComponent(persona)}`
const personaOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))
