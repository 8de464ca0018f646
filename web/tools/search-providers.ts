/** The requests about the search providers of a persona. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Mode } from './tool-servers.ts'

export type SearchProviders = Awaited<ReturnType<typeof ask>> extends Answer<infer T> ? T : never
export type Provider = SearchProviders['providers'][number]

const toParams = (id: string) => ({ params: { path: { persona_id: id } } })

const ask = (id: string) => answerTo(client.GET('/api/persona/{persona_id}/search-providers', toParams(id)))

export const loadProviders = (id: string): Loaded<SearchProviders> =>
  new Loaded<SearchProviders>(() => ask(id))

/** The types of facts that change the providers. */
export const relevantFacts = /^(?:SearchProvidersSet|ToolModeSet|WebSearched)$/

/** A provider in the request. Without a key, the stored one stays. */
export type Choice = Pick<Provider, 'provider' | 'url'> & {
  readonly key?: string | null
  readonly daily_limit?: number
}

/** Returns the used providers in the form of the request. */
export const listUsed = ({ providers }: SearchProviders): readonly Choice[] =>
  providers
    .filter(({ position }) => position !== null)
    .map(({ provider, url, daily_limit }) => ({ provider, url, daily_limit }))

export const save = (id: string, providers: readonly Choice[], readsResults?: boolean) =>
  answerTo(
    client.PUT('/api/persona/{persona_id}/search-providers', {
      ...toParams(id),
      body: { providers: [...providers], ...(readsResults !== undefined && { reads_results: readsResults }) },
    }),
  )

export const setMode = (id: string, provider: string, mode: Mode) =>
  answerTo(
    client.PATCH('/api/persona/{persona_id}/search-providers/{provider}', {
      params: { path: { persona_id: id, provider } },
      body: { mode },
    }),
  )

export const tryProvider = (id: string, provider: string, endpoint: { url?: string; key?: string }) =>
  answerTo(
    client.POST('/api/persona/{persona_id}/search-providers/{provider}/test', {
      params: { path: { persona_id: id, provider } },
      body: endpoint,
    }),
  )
