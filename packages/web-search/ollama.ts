/** The web search of Ollama's cloud. Format: https://docs.ollama.com/capabilities/web-search. */
import * as z from 'zod'
import { createRead, type SearchAdapter, withSite } from './search-provider.ts'

const Body = z.object({
  results: z.array(
    z.object({ title: z.unknown().optional(), url: z.unknown().optional(), content: z.unknown().optional() }),
  ),
})

export const ollamaSearch: SearchAdapter = {
  toRequest: (query, { url, key }, maxResults) => ({
    url: `${url}/api/web_search`,
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }) },
    body: { query: withSite(query), max_results: maxResults },
  }),
  read: createRead(Body, ({ results }) => ({
    results: results.map(({ title, url, content }) => ({ title, url, excerpt: content })),
  })),
}
