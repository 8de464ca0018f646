/**
 * One OAuth authorization in the user's browser: the request to the authorization server, and the exchange of
 * the code for tokens.
 */
import type { OAuthClientProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client'
import type { Fetch } from '../kit/network/network.ts'
import { findRefusal, usualReach } from '../kit/network/reach.ts'
import { getZone, isLoopback } from '../kit/network/zone.ts'
import type { Kept, KeptAuthorization } from './kept-authorization.ts'
import type { Library } from './library.ts'
import type { LoopbackRedirect } from './loopback-redirect.ts'
import type { SecretMask } from './secret-mask.ts'
import type { HttpConfig } from './server-config.ts'
import { ServerTrouble } from './trouble.ts'

interface FlowDeps {
  readonly library: Library
  readonly config: HttpConfig
  readonly mask: SecretMask
}

export interface FlowProvider {
  readonly oauthClient: OAuthClientProvider
  readonly address: () => string
  exchange(
    parameters: URLSearchParams,
    fetch: Fetch,
  ): Promise<{ readonly tokens: OAuthTokens; readonly more: Partial<Kept> }>
}

/** Creates the provider for one authorization. Its code verifier exists only in memory. */
export const createFlowProvider = (
  { library, config, mask }: FlowDeps,
  authorization: KeptAuthorization,
  redirect: LoopbackRedirect,
): FlowProvider => {
  let verifier = ''
  let address = ''
  let discovery: OAuthDiscoveryState | undefined
  let resource: string | undefined
  const getClient = async (issuer: string | undefined) => {
    const { client, redirect: redirectUrl, issuer: first } = await authorization.read()
    const byHand = getRegistration(config)
    if (!byHand) return client?.issuer === issuer && redirectUrl === redirect.url ? client : undefined
    // The client secret goes to one authorization server only, even if the tool server names another one
    // later.
    const onlyIssuer = config.oauth?.issuer ?? first
    if (onlyIssuer !== undefined && issuer !== undefined && trimSlash(onlyIssuer) !== trimSlash(issuer))
      throw new ServerTrouble('It names another authorization server than before.', 'authorize')
    return { ...byHand, ...(issuer !== undefined && { issuer }) }
  }
  const provider: OAuthClientProvider = {
    redirectUrl: redirect.url,
    clientMetadata: {
      client_name: 'Daimon',
      redirect_uris: [redirect.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(config.oauth?.scope !== undefined && { scope: config.oauth.scope }),
    },
    state: () => redirect.state,
    clientInformation: (context) => getClient(context?.issuer),
    saveClientInformation: async (client) => {
      if (getRegistration(config)) return
      if (client.client_secret) mask.hide(client.client_secret)
      await authorization.change({ client, redirect: redirect.url })
    },
    // No tokens: a refresh was already tried without the user.
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: (url) => {
      if (!isSafe(url) || findRefusal(url, getZone(config.url), usualReach) !== null)
        throw new ServerTrouble('The address for its authorization is not safe.', 'authorize')
      address = url.href
    },
    saveCodeVerifier: (newVerifier) => {
      mask.hide(newVerifier)
      verifier = newVerifier
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => {
      discovery = state
    },
    discoveryState: () => undefined,
    saveResourceUrl: (url) => {
      resource = url
    },
  }
  const exchange = async (parameters: URLSearchParams, fetch: Fetch) => {
    const code = parameters.get('code')
    const iss = parameters.get('iss')
    const metadata = discovery?.authorizationServerMetadata
    if (!code || !discovery) throw new ServerTrouble('The authorization was refused.', 'authorize')
    mask.hide(code)
    const issuer = metadata?.issuer ?? discovery.authorizationServerUrl
    const client = await getClient(issuer)
    if (!client) throw new ServerTrouble('The authorization server no longer knows this client.', 'authorize')
    const tokens = await library.exchangeAuthorization(discovery.authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      authorizationCode: code,
      // Checked against the requested issuer (RFC 9207).
      ...(iss !== null && { iss }),
      codeVerifier: verifier,
      redirectUri: redirect.url,
      ...(resource !== undefined && { resource }),
      fetchFn: fetch,
    })
    const extraFields = { issuer, redirect: redirect.url, resource, discovery: { ...discovery } }
    return { tokens, more: extraFields }
  }
  return { oauthClient: provider, address: () => address, exchange }
}

/** Returns the client that the user registered manually, if any. */
export const getRegistration = ({ oauth }: HttpConfig) =>
  oauth && {
    client_id: oauth.client_id,
    ...(oauth.client_secret !== undefined && { client_secret: oauth.client_secret }),
  }

const trimSlash = (url: string): string => url.replace(/\/$/, '')

/**
 * Accepts HTTPS, and HTTP on this machine. Rejects other networks without encryption, and schemes that a
 * browser would execute.
 */
export const isSafe = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
