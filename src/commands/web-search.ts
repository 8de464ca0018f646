/** Sets up the search providers of a persona, and tries them. */
import type { PersonaId, SearchProvider, SearchSetting, ToolMode } from '../../facts/fact-values.ts'
import type { SearchQuery } from '../../packages/web-search/search-provider.ts'
import { searchProviderTable } from '../../packages/web-search/search-provider-table.ts'
import { SearchFailed, type WebSearch } from '../../packages/web-search/web-search.ts'
import { searchServer } from '../../projections/declared-servers.ts'
import { listProviders, toSearchDefinition } from '../mind/tools/search-web.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { withSecrets } from './with-secrets.ts'

/** `key`: undefined keeps the stored key, null removes it. */
export interface GivenProvider extends Pick<SearchSetting, 'provider' | 'url' | 'dailyLimit'> {
  readonly key: string | null | undefined
}

interface GivenSearch {
  readonly providers: readonly GivenProvider[]
  readonly readsResults: boolean
}

/** Returns the web search. Throws Refused: search_off. */
export const requireSearch = ({ webSearch }: Pick<CommandDeps, 'webSearch'>): WebSearch => {
  if (!webSearch) throw new Refused({ code: 'search_off' })
  return webSearch
}

/** Replaces the list of providers. Throws Refused: persona_unknown, search_off, search_invalid. */
export const setSearchProviders = async (
  deps: Pick<CommandDeps, 'inTurn' | 'log' | 'personas' | 'webSearch'>,
  id: PersonaId,
  { providers: givenProviders, readsResults }: GivenSearch,
): Promise<void> => {
  requireSearch(deps)
  requireListed(deps.personas, id)
  for (const { provider, key } of givenProviders)
    if (key && searchProviderTable[provider].keyVariables.length === 0)
      throw new Refused({
        code: 'search_invalid',
        reason: `${searchProviderTable[provider].title} takes no key.`,
      })
  await deps.inTurn(id, async () => {
    const { searches } = requireListed(deps.personas, id).self
    await withSecrets(deps, id, 'key', async (keepSecret) => {
      const providers: SearchSetting[] = []
      for (const { key, ...setting } of givenProviders) {
        const earlierSetting = searches.providers.find(({ provider }) => provider === setting.provider)
        // A stored key is never sent to another address.
        const storedKey = earlierSetting?.url === setting.url ? earlierSetting.key : null
        const keyRef = key === undefined ? storedKey : key === null ? null : await keepSecret(key)
        providers.push({ ...setting, key: keyRef })
      }
      await deps.personas.execute(id, { type: 'SetSearchProviders', providers, readsResults }, 'person')
    })
  })
}

/** Sets whether a provider is searched. Throws Refused: persona_unknown, search_off. */
export const setSearchMode = async (
  deps: Pick<CommandDeps, 'personas' | 'webSearch'>,
  id: PersonaId,
  { provider, mode }: { readonly provider: SearchProvider; readonly mode: ToolMode },
): Promise<void> => {
  requireSearch(deps)
  requireListed(deps.personas, id)
  const setting = await findSetting(deps, id, provider)
  const choice = {
    server: searchServer,
    tool: provider,
    mode,
    definition: toSearchDefinition(setting),
    described: null,
  }
  await deps.personas.execute(id, { type: 'SetToolMode', ...choice }, 'person')
}

const findSetting = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
  provider: SearchProvider,
): Promise<SearchSetting> =>
  personas.read(
    id,
    async ({ persona }) =>
      listProviders(persona.self).find((setting) => setting.provider === provider) ?? {
        provider,
        url: null,
        key: null,
        dailyLimit: null,
      },
  )

export interface SearchTest {
  readonly found: number | null
  readonly fault: SearchFailed['kind'] | null
  readonly reason: string | null
}

/**
 * Searches once for the user, with a given or the stored key and address. Throws Refused: persona_unknown,
 * search_off.
 */
export const testSearchProvider = async (
  deps: Pick<CommandDeps, 'personas' | 'webSearch'>,
  id: PersonaId,
  endpoint: {
    readonly provider: SearchProvider
    readonly url?: string | undefined
    readonly key?: string | undefined
  },
  signal: AbortSignal,
): Promise<SearchTest> => {
  const webSearch = requireSearch(deps)
  requireListed(deps.personas, id)
  const setting = await findSetting(deps, id, endpoint.provider)
  const url = endpoint.url ?? setting.url
  const storedKey =
    setting.key !== null && url === setting.url ? await deps.personas.secret(id, setting.key) : null
  const choice = { provider: endpoint.provider, url, key: endpoint.key ?? storedKey }
  const { missing } = webSearch.resolve(choice)
  if (missing !== null) {
    const { title } = searchProviderTable[endpoint.provider]
    const reason = missing === 'key' ? `${title} needs a key.` : `${title} needs an address.`
    return { found: null, fault: missing === 'key' ? 'key' : 'unreachable', reason }
  }
  try {
    const { results } = await webSearch.search(choice, testQuery, signal)
    return { found: results.length, fault: null, reason: null }
  } catch (error) {
    if (!(error instanceof SearchFailed)) throw error
    const reason = `${searchProviderTable[endpoint.provider].title}: ${error.message}.`
    return { found: null, fault: error.kind, reason }
  }
}

const testQuery: SearchQuery = { words: 'lighthouse', recency: null, site: null }
