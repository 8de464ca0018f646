/** Brave Search. Format: https://api-dashboard.search.brave.com/app/documentation/web-search/get-started. */
import * as z from 'zod'
import { toPlainText } from './plain-text.ts'
import { createRead, type SearchAdapter, withSite } from './search-provider.ts'

const freshness = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

const Body = z.object({
  web: z
    .object({
      results: z.array(
        z.object({
          title: z.unknown().optional(),
          url: z.unknown().optional(),
          description: z.unknown().optional(),
          page_age: z.unknown().optional(),
        }),
      ),
    })
    .nullish(),
})

export const braveSearch: SearchAdapter = {
  toRequest: (query, { url, key }, maxResults) => {
    const parameters = new URLSearchParams({
      q: withSite(query),
      count: String(maxResults),
      text_decorations: 'false',
      ...(query.recency && { freshness: freshness[query.recency] }),
    })
    return {
      url: `${url}/res/v1/web/search?${parameters}`,
      headers: { ...(key !== null && { 'x-subscription-token': key }) },
    }
  },
  // Without a match, `web` is absent.
  read: createRead(Body, ({ web }) => ({
    results: (web?.results ?? []).map(({ title, url, description, page_age: date }) => ({
      title: toPlainText(title),
      url,
      date,
      excerpt: toPlainText(description),
    })),
  })),
}
