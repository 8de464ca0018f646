/** Routes of the search providers of a persona. */
import * as z from 'zod'
import { SearchProvider, type SearchSetting, ToolMode } from '../../../facts/fact-values.ts'
import { searchPricesDated, searchProviderTable } from '../../../packages/web-search/search-provider-table.ts'
import type { WebSearch } from '../../../packages/web-search/web-search.ts'
import { findChoice, getStanding, searchServer } from '../../../projections/declared-servers.ts'
import type { Persona } from '../../../projections/persona.ts'
import { getRequestsOf } from '../../../projections/web-requests.ts'
import type { CommandDeps } from '../../commands/command-deps.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import {
  requireSearch,
  setSearchMode,
  setSearchProviders,
  testSearchProvider,
} from '../../commands/web-search.ts'
import { getDailyLimit, listProviders, toSearchDefinition } from '../../mind/tools/search-web.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'

const SearchProviderView = z
  .object({
    provider: SearchProvider,
    title: z.string(),
    position: z.int().nullable().describe('Place in the order of the search, from 1. Null: not used.'),
    url: z.string().nullable().describe('An address of the user. Null: the usual one.'),
    key: z.enum(['own', 'environment']).nullable().describe('Where its key comes from. Null: it has none.'),
    missing: z.enum(['key', 'url']).nullable().describe('What it needs before it can be searched.'),
    key_page: z.string().nullable().describe('Where users get a key. Null: it takes none.'),
    mode: z
      .enum([...ToolMode.options, 'changed'])
      .describe('`changed`: it was allowed at another address, so the user is asked.'),
    daily_limit: z.int(),
    today: z.int().describe('Searches of this day in UTC.'),
    usd: z.number().nullable().describe('The usual price of a search. Null: unknown, or part of a plan.'),
  })
  .meta({ id: 'SearchProvider' })

const SearchProviders = z
  .object({
    providers: z.array(SearchProviderView).readonly(),
    reads_results: z.boolean().describe('Whether pages that a search found may be read without asking.'),
    prices_dated: z.string(),
  })
  .meta({ id: 'SearchProviders' })

const Address = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((text) => !URL.canParse(text) || (!new URL(text).username && !new URL(text).password), {
    message: 'It must not contain a name or a password.',
  })
  .transform((text) => text.replace(/\/$/, ''))

const Key = z
  .string()
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'It must be ASCII letters, digits and signs, without blanks.')

const Providers = z
  .array(
    z.object({
      provider: SearchProvider,
      url: Address.nullish(),
      key: Key.nullish().describe('Absent or `***`: the stored key stays. Null: it is removed.'),
      daily_limit: z.int().min(0).max(10_000).nullish(),
    }),
  )
  .max(SearchProvider.options.length)
  .refine((list) => new Set(list.map(({ provider }) => provider)).size === list.length, {
    message: 'Each provider can occur once.',
  })

export const getSearchProvidersRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/search-providers',
  summary: 'The services that the persona can search the web with, and their limits',
  description:
    'Without a choice of the user, it searches Wikipedia. The user is asked before the first search at each provider.',
  tag: 'Tools',
  reply: SearchProviders,
  refuses: ['persona_unknown', 'search_off'],
  handle:
    (deps) =>
    ({ params: { persona_id: id } }) =>
      readView(deps, id),
})

export const putSearchProvidersRoute = route({
  method: 'put',
  path: '/api/persona/{persona_id}/search-providers',
  summary: 'Choose the search providers and their order',
  description:
    'They are tried in this order until one answers. An empty list means the usual one. Keys are stored in the secrets file.',
  tag: 'Tools',
  body: z
    .object({
      providers: Providers,
      reads_results: z.boolean().optional().describe('Absent: it stays as it is.'),
    })
    .meta({ id: 'SearchProvidersRequest' }),
  reply: SearchProviders,
  refuses: ['persona_unknown', 'search_off', 'search_invalid'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { providers, reads_results: readsResults } }) => {
      const { searches } = requireListed(deps.personas, id).self
      await setSearchProviders(deps, id, {
        providers: providers.map(({ provider, url = null, key, daily_limit: dailyLimit = null }) => ({
          provider,
          url,
          key: key === '***' ? undefined : key,
          dailyLimit,
        })),
        readsResults: readsResults ?? searches.readsResults,
      })
      return readView(deps, id)
    },
})

export const setSearchModeRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/search-providers/{provider}',
  summary: 'Set whether a provider is never searched, searched after asking the user, or without asking',
  description:
    'Even then the user is asked about words that are not theirs, while text of others is in the conversation.',
  tag: 'Tools',
  body: z.object({ mode: ToolMode }).meta({ id: 'SearchModeRequest' }),
  reply: SearchProviders,
  refuses: ['persona_unknown', 'search_off', 'tool_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, provider }, body: { mode } }) => {
      await setSearchMode(deps, id, { provider: parseProvider(provider), mode })
      return readView(deps, id)
    },
})

export const testSearchProviderRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/search-providers/{provider}/test',
  summary: 'Search once, to check an address and a key',
  description: 'Searches for one fixed word, without a turn. Stores nothing.',
  tag: 'Tools',
  body: z.object({ url: Address.optional(), key: Key.optional() }).meta({ id: 'SearchTestRequest' }),
  reply: z
    .object({
      found: z.int().nullable().describe('Number of results; null if it failed.'),
      fault: z.enum(['key', 'limit', 'unreachable', 'answer']).nullable(),
      reason: z.string().nullable(),
    })
    .meta({ id: 'SearchTest' }),
  refuses: ['persona_unknown', 'search_off', 'tool_unknown'],
  handle:
    (deps) =>
    ({ params: { persona_id: id, provider }, body, response }) =>
      withAbortSignal(response, deps.closing, (signal) =>
        testSearchProvider(deps, id, { provider: parseProvider(provider), ...body }, signal),
      ),
})

const parseProvider = (name: string): SearchProvider => {
  const parsedName = SearchProvider.safeParse(name)
  if (!parsedName.success) throw new Refused({ code: 'tool_unknown' })
  return parsedName.data
}

type ViewDeps = Pick<CommandDeps, 'personas' | 'webSearch' | 'clock'>

const readView = async (deps: ViewDeps, id: string): Promise<z.infer<typeof SearchProviders>> => {
  const webSearch = requireSearch(deps)
  requireListed(deps.personas, id)
  return deps.personas.read(id, async ({ persona }) => {
    const usedSettings = listProviders(persona.self)
    const unusedSettings = SearchProvider.options
      .filter((name) => !usedSettings.some(({ provider }) => provider === name))
      .map((provider) => ({ provider, url: null, key: null, dailyLimit: null }))
    return {
      providers: [...usedSettings, ...unusedSettings].map((setting) =>
        toView(setting, usedSettings.indexOf(setting) + 1 || null, persona, {
          webSearch,
          now: deps.clock.now(),
        }),
      ),
      reads_results: persona.self.searches.readsResults,
      prices_dated: searchPricesDated,
    }
  })
}

const toView = (
  setting: SearchSetting,
  position: number | null,
  { self, web }: Persona,
  { webSearch, now }: { readonly webSearch: WebSearch; readonly now: number },
): z.infer<typeof SearchProviderView> => {
  const { provider, url, key } = setting
  const { title, keyPage, usd } = searchProviderTable[provider]
  const endpoint = webSearch.resolve(setting)
  const environmentKey = endpoint.missing === null && endpoint.key !== null ? 'environment' : null
  const choice = findChoice(self, { server: searchServer, tool: provider })
  return {
    provider,
    title,
    position,
    url,
    key: key !== null ? 'own' : environmentKey,
    missing: endpoint.missing,
    key_page: keyPage,
    mode: getStanding(choice, toSearchDefinition(setting)),
    daily_limit: getDailyLimit(setting),
    today: getRequestsOf(web, now).searches[provider] ?? 0,
    usd,
  }
}
