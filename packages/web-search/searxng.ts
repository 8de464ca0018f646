/**
 * SearXNG at the user's own address. Format: https://docs.searxng.org/dev/search_api.html. Its settings must
 * contain the format `json`, or it answers 403.
 */
import * as z from 'zod'
import { createRead, type SearchAdapter, withSite } from './search-provider.ts'

const Body = z.object({
  results: z.array(
    z.object({
      title: z.unknown().optional(),
      url: z.unknown().optional(),
      content: z.unknown().optional(),
      publishedDate: z.unknown().optional(),
    }),
  ),
})

export const searxngSearch: SearchAdapter = {
  toRequest: (query, { url }) => {
    const parameters = new URLSearchParams({
      q: withSite(query),
      format: 'json',
      ...(query.recency && { time_range: query.recency }),
    })
    return { url: `${url}/search?${parameters}` }
  },
  read: createRead(Body, ({ results }) => ({
    results: results.map(({ title, url, content, publishedDate: date }) => ({
      title,
      url,
      date,
      excerpt: content,
    })),
  })),
}
