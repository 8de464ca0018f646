/**
 * OAuth 2.1 with PKCE for one server: tokens are kept and refreshed; where there are none, an address for the
 * person to open, and what their browser brings back.
 */
import type { AuthProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client'
import type { Fetch } from '../../models/network.ts'
import type { Clock } from '../../time/clock.ts'
import { createFlowProvider, type FlowProvider, isSafe, registered } from './authorization-flow.ts'
import { createKeptAuthorization, type Kept } from './kept-authorization.ts'
import type { Library } from './library.ts'
import { type LoopbackRedirect, listenForRedirect } from './loopback-redirect.ts'
import type { SecretMask } from './secret-mask.ts'
import type { AuthStore, HttpConfig } from './server-config.ts'
import type { Limits } from './server-limits.ts'
import { plainLine, ServerTrouble } from './trouble.ts'

export interface Authorization {
  readonly provider: AuthProvider
  /** Where the person has to go; null while nothing is asked of them. */
  readonly wanted: () => string | null
  /** Nobody is waited for any more. */
  close(): void
}

interface Deps {
  readonly library: Library
  readonly config: HttpConfig
  readonly store: AuthStore
  readonly fetch: Fetch
  readonly mask: SecretMask
  readonly limits: Limits
  readonly clock: Clock
  /** With null when there are tokens, else with why there are none. */
  readonly onSettled: (refusal: string | null) => void
}

/** Milliseconds before its time is up at which a token is renewed. */
const early = 30_000

export const createAuthorization = (deps: Deps): Authorization => {
  const { library, config, mask, clock, limits } = deps
  const kept = createKeptAuthorization(deps.store, config.url)
  const fetch = guarded(deps.fetch)
  let flow: { readonly redirect: LoopbackRedirect; url: string | null } | undefined
  let isClosed = false

  const saveTokens = async (tokens: OAuthTokens, more: Partial<Kept> = {}) => {
    hideTokens(mask, tokens)
    const expires = tokens.expires_in === undefined ? undefined : clock.now() + tokens.expires_in * 1000
    await kept.change({ ...more, tokens, expires })
  }
  const refresh = async (): Promise<boolean> => {
    const { tokens, discovery, resource, client } = await kept.read()
    const info = registered(config) ?? client
    if (!tokens?.refresh_token || !discovery || !info) return false
    try {
      const found = discovery as unknown as OAuthDiscoveryState
      const fresh = await library.refreshAuthorization(found.authorizationServerUrl, {
        ...(found.authorizationServerMetadata && { metadata: found.authorizationServerMetadata }),
        clientInformation: info,
        refreshToken: tokens.refresh_token,
        ...(resource !== undefined && { resource }),
        fetchFn: fetch,
      })
      await saveTokens(fresh)
      return true
    } catch (error) {
      // It said no: these tokens are over. Anything else may be better the next time.
      if (!(error instanceof library.OAuthError)) throw unreached(error, mask)
      await kept.change({ tokens: undefined, expires: undefined })
      return false
    }
  }
  const refreshing = single(refresh)

  const begin = async (challenge: Response): Promise<void> => {
    const { redirect: before } = await kept.read()
    const port = config.oauth?.redirect_port ?? (before === undefined ? null : Number(new URL(before).port))
    const redirect = await listenForRedirect(port, limits.authorize)
    const mine = { redirect, url: null as string | null }
    flow = mine
    try {
      if (isClosed) throw new ServerTrouble('It is not asked any more.', 'closing')
      const provider = createFlowProvider(deps, kept, redirect)
      const { resourceMetadataUrl, scope } = library.extractWWWAuthenticateParams(challenge)
      const asked = config.oauth?.scope ?? scope
      await library.auth(provider.asked, {
        serverUrl: config.url,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(asked !== undefined && { scope: asked }),
        fetchFn: fetch,
      })
      mine.url = provider.address()
      void redirect.came.then((came) => finish(mine, came, provider))
    } catch (error) {
      redirect.close()
      flow = undefined
      throw notBegun(error, mask)
    }
  }
  const beginning = single(begin)

  const finish = async (mine: typeof flow, came: URLSearchParams | undefined, provider: FlowProvider) => {
    let refusal: string | null = 'Nobody authorized it in time. Try it again for a new address.'
    try {
      if (came) {
        const { tokens, more } = await provider.exchange(came, fetch)
        await saveTokens(tokens, more)
        refusal = null
      }
    } catch (error) {
      refusal = notBegun(error, mask).message
    }
    if (flow === mine) flow = undefined
    if (!isClosed) deps.onSettled(refusal)
  }

  const wanted = () => flow?.url ?? null
  return {
    wanted,
    provider: {
      token: async () => {
        const { tokens, expires } = await kept.read()
        if (tokens) hideTokens(mask, tokens)
        if (tokens && expires !== undefined && clock.now() > expires - early) await refreshing()
        return (await kept.read()).tokens?.access_token
      },
      onUnauthorized: async ({ response }) => {
        if (await refreshing()) return
        if (wanted() === null) await beginning(response)
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

const guarded =
  (fetch: Fetch): Fetch =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isSafe(url))
      throw new ServerTrouble(
        'It is authorized by an address that is not encrypted, which is not asked.',
        'authorize',
      )
    return fetch(input, init)
  }

/** Nothing is handed on as a cause: an error may hold what was sent. */
const notBegun = (error: unknown, mask: SecretMask): ServerTrouble => {
  if (error instanceof ServerTrouble) return error
  const why = error instanceof Error ? plainLine(mask.text(error.message), 200) : 'no reason given'
  return new ServerTrouble(`It wants to be authorized, and that did not come about: ${why}`, 'authorize', {
    status: 401,
  })
}

const unreached = (error: unknown, mask: SecretMask): ServerTrouble =>
  new ServerTrouble(notBegun(error, mask).message, 'network')

/** Whoever asks while it is under way has the same answer. */
const single = <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) => {
  let going: Promise<R> | undefined
  return (...args: A): Promise<R> => {
    going ??= work(...args).finally(() => {
      going = undefined
    })
    return going
  }
}
