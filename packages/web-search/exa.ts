/** Exa. Format: https://docs.exa.ai/reference/search. */
import * as z from 'zod'
import { createRead, type Recency, type SearchAdapter } from './search-provider.ts'

const Body = z.object({
  results: z.array(
    z.object({
      title: z.unknown().optional(),
      url: z.unknown().optional(),
      publishedDate: z.unknown().optional(),
      highlights: z.array(z.string()).nullish(),
    }),
  ),
  costDollars: z
    .object({ total: z.number().min(0) })
    .nullish()
    .catch(null),
})

const days = { day: 1, week: 7, month: 31, year: 366 } as const satisfies Record<Recency, number>
const dayMs = 24 * 3_600_000

export const exaSearch: SearchAdapter = {
  toRequest: ({ words, recency, site }, { url, key }, maxResults, now) => ({
    url: `${url}/search`,
    headers: { ...(key !== null && { 'x-api-key': key }) },
    body: {
      query: words,
      numResults: maxResults,
      type: 'auto',
      contents: { highlights: true },
      ...(recency && { startPublishedDate: new Date(now - days[recency] * dayMs).toISOString() }),
      ...(site && { includeDomains: [site] }),
    },
  }),
  read: createRead(Body, ({ results, costDollars }) => ({
    results: results.map(({ title, url, publishedDate: date, highlights }) => ({
      title,
      url,
      date,
      excerpt: (highlights ?? []).join(' … '),
    })),
    ...(costDollars && { usd: costDollars.total }),
  })),
}
