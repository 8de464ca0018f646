/**
 * Serves each persona as a server of the Model Context Protocol over Streamable HTTP. Every request is
 * independent, so no state is kept between requests.
 */
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createPersonaServer, type PersonaServerDeps } from './persona-server.ts'

export interface McpEndpoint {
  /** Answers a request. `body` is its parsed JSON. The persona must exist. */
  serve(request: McpRequest): Promise<Response>
  close(): Promise<void>
}

export interface McpRequest {
  readonly persona: string
  readonly headers: Headers
  readonly body: unknown
  /** Aborts when the client disconnects. */
  readonly disconnectSignal: AbortSignal
}

export const openMcpEndpoint = (deps: PersonaServerDeps): McpEndpoint => {
  const handler = createMcpHandler(
    ({ requestInfo }) => createPersonaServer(deps, getPersona(requestInfo?.url ?? '')),
    { onerror: (err) => deps.log.debug({ err }, 'failed to serve a request of an MCP client') },
  )
  return {
    serve: ({ persona, headers, body, disconnectSignal: signal }) =>
      handler.fetch(new Request(toUrl(persona), { method: 'POST', headers, signal }), {
        parsedBody: body,
      }),
    close: handler.close,
  }
}

// The library passes only the request to the handler, so its URL names the persona.
const toUrl = (persona: string): string => `http://localhost/${encodeURIComponent(persona)}`
const getPersona = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))
