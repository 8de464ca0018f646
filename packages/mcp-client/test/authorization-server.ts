/** A strict stand-in for an authorization server and a tool server that requires its tokens. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { World } from './servers.ts'

export interface AuthorizationServer {
  /** The address of the tool server. */
  readonly url: string
  /** The received requests, one line each, without secrets. */
  readonly asked: string[]
  /** All tokens, codes and secrets that were issued or received. */
  readonly secrets: string[]
  /** Invalidates an issued token. */
  expire(token: 'access' | 'refresh'): void
  /** Simulates the browser of a user who agrees: opens the address and follows the redirect. */
  allow(address: string): Promise<Response>
  issuer: string
  /** The scope that a tool call requires. */
  needs: string | null
  /** The only scopes that the user grants; null: all. */
  allows: string | null
}

interface Grant {
  readonly scope: string
  readonly challenge: string
  readonly redirect: string
  readonly client: string
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

export const createAuthorizationServer = async ({ ends }: World): Promise<AuthorizationServer> => {
  const requestLog: string[] = []
  const secrets: string[] = []
  const createSecret = (kind: string) => {
    const secret = `marked-${kind}-${randomBytes(12).toString('hex')}`
    secrets.push(secret)
    return secret
  }
  const clients = new Map<string, string[]>()
  const grants = new Map<string, Grant>()
  let access = ''
  let refresh = ''
  let grantedScope = ''
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const authorizationServer: AuthorizationServer = {
    url: `${origin}/mcp`,
    asked: requestLog,
    secrets,
    issuer: origin,
    needs: null,
    allows: null,
    expire: (token) => {
      if (token === 'access') access = createSecret('nothing')
      else refresh = createSecret('nothing')
    },
    allow: (address) => fetch(address),
  }
  const give = (response: ServerResponse) => {
    access = createSecret('access')
    refresh = createSecret('refresh')
    const tokenResponse = {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refresh,
    }
    // A server may omit the scope if it equals the requested one.
    json(
      response,
      authorizationServer.allows === null ? tokenResponse : { ...tokenResponse, scope: grantedScope },
    )
  }
  const token = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await readBody(request))
    const kind = form.get('grant_type')
    requestLog.push(`token ${kind} for ${form.get('resource')}`)
    const refuse = () =>
      json(response, { error: 'invalid_grant', error_description: form.get('refresh_token') }, 400)
    if (kind === 'refresh_token') return form.get('refresh_token') === refresh ? give(response) : refuse()
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    secrets.push(verifier)
    const isRight =
      grant &&
      createHash('sha256').update(verifier).digest('base64url') === grant.challenge &&
      form.get('redirect_uri') === grant.redirect &&
      form.get('resource') === authorizationServer.url
    if (isRight) grantedScope = authorizationServer.allows ?? grant.scope
    return isRight ? give(response) : refuse()
  }
  const authorize = (params: URLSearchParams, response: ServerResponse) => {
    const client = params.get('client_id') ?? ''
    const redirect = params.get('redirect_uri') ?? ''
    const isKnown = clients.get(client)?.includes(redirect) || client === 'by-hand'
    const isPkce =
      params.get('code_challenge_method') === 'S256' && params.get('resource') === authorizationServer.url
    if (!isKnown || !isPkce) return response.writeHead(400).end('no')
    const code = createSecret('code')
    const scope = params.get('scope') ?? ''
    grants.set(code, { challenge: params.get('code_challenge') ?? '', redirect, client, scope })
    const redirectUrl = new URL(redirect)
    redirectUrl.search = String(new URLSearchParams({ code, state: params.get('state') ?? '', iss: origin }))
    return response.writeHead(302, { location: redirectUrl.href }).end()
  }
  const register = async (request: IncomingMessage, response: ServerResponse) => {
    const registration = JSON.parse(await readBody(request)) as { redirect_uris: string[] }
    requestLog.push('register')
    const client = `client-${clients.size}`
    clients.set(client, registration.redirect_uris)
    json(response, { ...registration, client_id: client }, 201)
  }
  const tools = async (request: IncomingMessage, response: ServerResponse) => {
    if (access === '' || request.headers.authorization !== `Bearer ${access}`)
      return response
        .writeHead(401, {
          'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        })
        .end(request.headers.authorization)
    if (request.method !== 'POST') return response.writeHead(405).end()
    const { id, method, params } = JSON.parse(await readBody(request))
    const reply = (result: unknown) => json(response, { jsonrpc: '2.0', id, result })
    if (id === undefined) return response.writeHead(202).end()
    if (method === 'initialize')
      return reply({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      })
    if (method === 'tools/list') return reply({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] })
    if (
      method === 'tools/call' &&
      authorizationServer.needs !== null &&
      !grantedScope.split(' ').includes(authorizationServer.needs)
    )
      return response
        .writeHead(403, {
          'www-authenticate': `Bearer error="insufficient_scope", scope="${authorizationServer.needs}", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        })
        .end()
    if (method === 'tools/call') return reply({ content: [{ type: 'text', text: `done with ${access}` }] })
    return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  }
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    if (pathname === '/mcp') return void tools(request, response)
    if (pathname === '/token') return void token(request, response)
    if (pathname === '/register') return void register(request, response)
    if (pathname === '/authorize') return void authorize(searchParams, response)
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return void json(response, {
        resource: authorizationServer.url,
        authorization_servers: [authorizationServer.issuer],
      })
    if (pathname === '/.well-known/oauth-authorization-server')
      return void json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
      })
    return void response.writeHead(404).end()
  })
  return authorizationServer
}
