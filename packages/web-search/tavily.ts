/** Tavily. Format: https://docs.tavily.com/documentation/api-reference/endpoint/search. */
import * as z from 'zod'
import { createRead, type SearchAdapter } from './search-provider.ts'

const Body = z.object({
  results: z.array(
    z.object({
      title: z.unknown().optional(),
      url: z.unknown().optional(),
      content: z.unknown().optional(),
      published_date: z.unknown().optional(),
    }),
  ),
})

export const tavilySearch: SearchAdapter = {
  toRequest: ({ words, recency, site }, { url, key }, maxResults) => ({
    url: `${url}/search`,
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }) },
    body: {
      query: words,
      max_results: maxResults,
      search_depth: 'basic',
      ...(recency && { time_range: recency }),
      ...(site && { include_domains: [site] }),
    },
  }),
  read: createRead(Body, ({ results }) => ({
    results: results.map(({ title, url, content, published_date: date }) => ({
      title,
      url,
      date,
      excerpt: content,
    })),
  })),
}
