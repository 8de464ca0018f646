/** search_web: searches the web at the providers that the user has allowed. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { PersonaId, SearchSetting, Sha256 } from '../../../facts/fact-values.ts'
import { recencies, type SearchQuery } from '../../../packages/web-search/search-provider.ts'
import { searchProviderTable } from '../../../packages/web-search/search-provider-table.ts'
import {
  type SearchAnswer,
  SearchFailed,
  toSite,
  type WebSearch,
} from '../../../packages/web-search/web-search.ts'
import { findChoice, getStanding, searchServer } from '../../../projections/declared-servers.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Self } from '../../../projections/self.ts'
import { getRequestsOf } from '../../../projections/web-requests.ts'
import type { RecordSearch } from '../../persona/rules/tools.ts'
import { foreignNote } from './foreign-note.ts'
import { createFailure, defineTool, type Permission, type PermissionContext, type Tool } from './tool.ts'

export interface SearchWebDeps {
  readonly webSearch: WebSearch
  /** Returns a key of the persona's secrets file; null if it is lost. */
  readonly readKey: (id: PersonaId, ref: string) => Promise<string | null>
}

const Input = z.object({
  query: z.string().trim().min(1).max(300),
  recency: z.enum(recencies).optional(),
  site: z.string().max(200).optional(),
})
type Input = z.infer<typeof Input>

export const createSearchWeb = (deps: SearchWebDeps): Tool =>
  defineTool({
    name: 'search_web',
    description: 'Search the web in the user’s own words. read_page reads a result.',
    input: Input,
    acts: true,
    permission: (input, context) => permissionFor(input, context, deps.webSearch),
    run: async (input, { persona, now, signal, permitted }) => {
      const query = toQuery(input)
      const [first, ...others] = listUsable(query, { persona, now }, deps.webSearch)
      // The provider for which the user was asked. Others are only tried if they are always allowed.
      const approved = first && permitted?.tool === first.provider ? [first] : []
      const settings = [...approved, ...(first ? [first, ...others] : []).filter(isAllowed(persona))]
      return searchInOrder([...new Set(settings)], query, { deps, id: persona.self.id, signal })
    },
  })

const isAllowed = (persona: Persona) => (setting: SearchSetting) =>
  getStanding(findChoice(persona.self, toChoiceKey(setting)), toSearchDefinition(setting)) === 'allow'

const toChoiceKey = ({ provider }: Pick<SearchSetting, 'provider'>) => ({
  server: searchServer,
  tool: provider,
})

const toQuery = ({ query, recency, site }: Input): SearchQuery => ({
  words: query.replace(/\s+/g, ' '),
  recency: recency ?? null,
  site: site === undefined ? null : toSite(site),
})

const usualProviders: readonly SearchSetting[] = [
  { provider: 'wikipedia', url: null, key: null, dailyLimit: null },
]

/** Returns the providers in the order in which they are tried. */
export const listProviders = ({ searches }: Pick<Self, 'searches'>): readonly SearchSetting[] =>
  searches.providers.length > 0 ? searches.providers : usualProviders

/** Identifies what the user allows: another address needs another approval. */
export const toSearchDefinition = ({ provider, url }: SearchSetting): Sha256 =>
  createHash('sha256')
    .update(`search with ${provider} at ${url ?? 'its usual address'}`)
    .digest('hex')

export const getDailyLimit = ({ provider, dailyLimit }: SearchSetting): number =>
  dailyLimit ?? searchProviderTable[provider].dailyLimit

/** Returns the providers that can be searched now and that the user has not switched off. */
const listUsable = (
  { site }: SearchQuery,
  { persona, now }: PermissionContext,
  webSearch: WebSearch,
): readonly SearchSetting[] => {
  const { searches } = getRequestsOf(persona.web, now)
  return listProviders(persona.self).filter((setting) => {
    const { provider } = setting
    const { onlySite } = searchProviderTable[provider]
    const isOfSite = !site || !onlySite || site === onlySite || site.endsWith(`.${onlySite}`)
    return (
      isOfSite &&
      webSearch.resolve(setting).missing === null &&
      (searches[provider] ?? 0) < getDailyLimit(setting) &&
      findChoice(persona.self, toChoiceKey(setting))?.mode !== 'off'
    )
  })
}

/** Returns null if no provider can be searched, so that the user is not asked. */
const permissionFor = (input: Input, context: PermissionContext, webSearch: WebSearch): Permission | null => {
  const query = toQuery(input)
  const [setting] = listUsable(query, context, webSearch)
  if (!setting) return null
  const sentText = query.site ? `${query.words} ${query.site}` : query.words
  return {
    ...toChoiceKey(setting),
    definition: toSearchDefinition(setting),
    refused: `The person does not want ${searchProviderTable[setting.provider].title} to be searched.`,
    outgoing: { query: sentText },
  }
}

interface Search {
  readonly deps: SearchWebDeps
  readonly id: PersonaId
  readonly signal: AbortSignal
}

/** Tries the providers until one answers. */
const searchInOrder = async (settings: readonly SearchSetting[], query: SearchQuery, search: Search) => {
  const effect: RecordSearch[] = []
  const failures: string[] = []
  for (const setting of settings) {
    const { provider } = setting
    const { title } = searchProviderTable[provider]
    const answer = await searchAt(setting, query, search)
    if (answer instanceof SearchFailed) {
      effect.push({ type: 'RecordSearch', provider, found: null, price: null })
      failures.push(`${title}: ${answer.message}`)
      continue
    }
    const { results, price } = answer
    effect.push({ type: 'RecordSearch', provider, found: results.length, price })
    return { ok: true, effect, output: toOutput(setting, results) }
  }
  const reason =
    failures.length > 0
      ? `The search failed. ${failures.join('; ')}.`
      : 'No search provider can be used: there is none for this, its limit for today is reached, or the person has switched it off. They choose the providers in the settings.'
  return { ...createFailure(reason), effect }
}

const searchAt = async (
  { provider, url, key }: SearchSetting,
  query: SearchQuery,
  { deps: { webSearch, readKey }, id, signal }: Search,
): Promise<SearchAnswer | SearchFailed> => {
  try {
    const ownKey = key === null ? null : await readKey(id, key)
    if (key !== null && ownKey === null) return new SearchFailed('key', 'its key is lost')
    return await webSearch.search({ provider, url, key: ownKey }, query, signal)
  } catch (error) {
    if (error instanceof SearchFailed) return error
    throw error
  }
}

const toOutput = ({ provider }: SearchSetting, results: SearchAnswer['results']) => ({
  origin: { server: searchServer, tool: provider },
  note: foreignNote,
  results:
    results.length > 0
      ? results.map(({ date, ...result }) => ({ ...result, ...(date !== null && { date }) }))
      : 'Nothing was found.',
})
