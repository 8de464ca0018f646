/**
 * OAuth 2.1 with PKCE for one server. Stores and refreshes tokens. Without tokens, provides an address for
 * the user to open, and handles the redirect of the browser.
 */
import type { AuthProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client'
import type { Fetch } from '../kit/network/network.ts'
import type { Clock } from '../kit/time/clock.ts'
import { createFlowProvider, type FlowProvider, getRegistration } from './authorization-flow.ts'
import { notBegun, notEnough, requireEncryption, toUnreached } from './authorization-trouble.ts'
import { createKeptAuthorization, type Kept } from './kept-authorization.ts'
import type { Library } from './library.ts'
import { type LoopbackRedirect, listenForRedirect } from './loopback-redirect.ts'
import type { SecretMask } from './secret-mask.ts'
import type { AuthStore, HttpConfig } from './server-config.ts'
import type { Limits } from './server-limits.ts'
import { plainLine, ServerTrouble } from './trouble.ts'

export interface Authorization {
  readonly provider: AuthProvider
  /** Returns the address that the user must open, or null if none. */
  readonly wanted: () => string | null
  /**
   * Asks the user for more scopes after a refusal for insufficient scope, if the server names them. Resolves
   * with the error to report. Never rejects.
   */
  widen(scopeRequest: Asked): Promise<ServerTrouble>
  /** Stops waiting for the user. */
  close(): void
}

/** The details of a refusal. `scope`: the required scopes, as the server wrote them. */
export interface Asked {
  readonly scope?: string | undefined
  readonly resourceMetadataUrl?: URL | undefined
}

interface Deps {
  readonly library: Library
  readonly config: HttpConfig
  readonly store: AuthStore
  readonly fetch: Fetch
  readonly mask: SecretMask
  readonly limits: Limits
  readonly clock: Clock
  /** Called with null when tokens arrived, else with the reason of the failure. */
  readonly onSettled: (refusal: string | null) => void
}

/** Ms before its expiry at which a token is refreshed. */
const refreshEarlyMs = 30_000

export const createAuthorization = (deps: Deps): Authorization => {
  const { library, config, mask, clock, limits } = deps
  const authorization = createKeptAuthorization(deps.store, config.url)
  const fetch = requireEncryption(deps.fetch)
  let flow: { readonly redirect: LoopbackRedirect; url: string | null } | undefined
  let isClosed = false

  const saveTokens = async (tokens: OAuthTokens, fields: Partial<Kept> = {}) => {
    hideTokens(mask, tokens)
    const expires = tokens.expires_in === undefined ? undefined : clock.now() + tokens.expires_in * 1000
    await authorization.change({ ...fields, tokens, expires })
  }
  const refresh = async (): Promise<boolean> => {
    const { tokens, discovery, resource, client } = await authorization.read()
    const info = getRegistration(config) ?? client
    if (!tokens?.refresh_token || !discovery || !info) return false
    try {
      const discoveryState = discovery as unknown as OAuthDiscoveryState
      const freshTokens = await library.refreshAuthorization(discoveryState.authorizationServerUrl, {
        ...(discoveryState.authorizationServerMetadata && {
          metadata: discoveryState.authorizationServerMetadata,
        }),
        clientInformation: info,
        refreshToken: tokens.refresh_token,
        ...(resource !== undefined && { resource }),
        fetchFn: fetch,
      })
      await saveTokens(freshTokens)
      return true
    } catch (error) {
      // An OAuth error means that the tokens are invalid. Other errors may be temporary.
      if (!(error instanceof library.OAuthError)) throw toUnreached(error, mask)
      await authorization.change({ tokens: undefined, expires: undefined })
      return false
    }
  }
  const refreshOnce = runSingle(refresh)

  const beginFlow = async ({ scope, resourceMetadataUrl }: Asked): Promise<void> => {
    const { redirect: previousRedirect } = await authorization.read()
    const port =
      config.oauth?.redirect_port ??
      (previousRedirect === undefined ? null : Number(new URL(previousRedirect).port))
    const redirect = await listenForRedirect(port, limits.authorize)
    const ownFlow = { redirect, url: null as string | null }
    flow = ownFlow
    try {
      if (isClosed) throw new ServerTrouble('It is not asked any more.', 'closing')
      const provider = createFlowProvider(deps, authorization, redirect)
      await library.auth(provider.oauthClient, {
        serverUrl: config.url,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
        fetchFn: fetch,
      })
      ownFlow.url = provider.address()
      void redirect.parameters.then((parameters) => finish(ownFlow, parameters, provider, scope))
    } catch (error) {
      redirect.close()
      flow = undefined
      throw notBegun(error, mask)
    }
  }
  const beginning = runSingle(beginFlow)

  const finish = async (
    ownFlow: typeof flow,
    parameters: URLSearchParams | undefined,
    provider: FlowProvider,
    scope: string | undefined,
  ) => {
    let refusal: string | null =
      'The authorization was not completed in time. Try it again for a new address.'
    try {
      if (parameters) {
        const { tokens, more } = await provider.exchange(parameters, fetch)
        await saveTokens(tokens, { ...more, scope: tokens.scope ?? scope })
        refusal = null
      }
    } catch (error) {
      refusal = notBegun(error, mask).message
    }
    if (flow === ownFlow) flow = undefined
    if (!isClosed) deps.onSettled(refusal)
  }

  const getAddress = () => flow?.url ?? null

  const widen = async (scopeRequest: Asked): Promise<ServerTrouble> => {
    try {
      const { scope: grantedScope } = await authorization.read()
      const scope = library.computeScopeUnion(config.oauth?.scope, grantedScope, scopeRequest.scope)
      // The user has already granted all of these scopes.
      if (!library.isStrictScopeSuperset(scope, grantedScope))
        return new ServerTrouble(notEnough, 'refused', { status: 403 })
      if (getAddress() === null) await beginning({ ...scopeRequest, scope })
      const scopes = plainLine(scopeRequest.scope ?? '', 200)
      return new ServerTrouble(
        `It has to be authorized for more first (${scopes}): open the address it asks for.`,
        'authorize',
        { status: 403 },
      )
    } catch (error) {
      return notBegun(error, mask)
    }
  }

  return {
    wanted: getAddress,
    widen,
    provider: {
      token: async () => {
        const { tokens, expires } = await authorization.read()
        if (tokens) hideTokens(mask, tokens)
        if (tokens && expires !== undefined && clock.now() > expires - refreshEarlyMs) await refreshOnce()
        return (await authorization.read()).tokens?.access_token
      },
      onUnauthorized: async ({ response }) => {
        if (await refreshOnce()) return
        const { scope, resourceMetadataUrl } = library.extractWWWAuthenticateParams(response)
        if (getAddress() === null)
          await beginning({ resourceMetadataUrl, scope: config.oauth?.scope ?? scope })
        throw new ServerTrouble('It has to be authorized first: open the address it asks for.', 'authorize', {
          status: 401,
        })
      },
    },
    close: () => {
      isClosed = true
      flow?.redirect.close()
    },
  }
}

const hideTokens = (
  mask: SecretMask,
  tokens: { readonly access_token: string; readonly refresh_token?: string | undefined },
): void => {
  mask.hide(tokens.access_token)
  if (tokens.refresh_token) mask.hide(tokens.refresh_token)
}

/** Calls during a running call share its result. */
const runSingle = <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) => {
  let pendingRun: Promise<R> | undefined
  return (...args: A): Promise<R> => {
    pendingRun ??= work(...args).finally(() => {
      pendingRun = undefined
    })
    return pendingRun
  }
}
