/**
 * Wikipedia, without a key. Format: https://www.mediawiki.org/wiki/API:REST_API/Reference. It has no filter
 * by date.
 */
import * as z from 'zod'
import { toPlainText } from './plain-text.ts'
import { createRead, type SearchAdapter, type SearchEndpoint, type SearchQuery } from './search-provider.ts'

const Body = z.object({
  pages: z.array(
    z.object({
      key: z.string(),
      title: z.unknown().optional(),
      excerpt: z.unknown().optional(),
      description: z.unknown().optional(),
    }),
  ),
})

/** The base address: the language of the site that was asked for, if it is one of Wikipedia's. */
const languageOf = ({ site }: SearchQuery): string | null =>
  /^([a-z]{2,3}(?:-[a-z]+)?)\.(?:m\.)?wikipedia\.org$/.exec(site ?? '')?.[1] ?? null

const getBase = (query: SearchQuery, { url }: SearchEndpoint): string => {
  const language = languageOf(query)
  return language === null
    ? url
    : url.replace(/^https:\/\/[a-z-]+\.wikipedia\.org/, `https://${language}.wikipedia.org`)
}

export const wikipediaSearch: SearchAdapter = {
  toRequest: (query, endpoint, maxResults) => {
    const parameters = new URLSearchParams({ q: query.words, limit: String(maxResults) })
    return { url: `${getBase(query, endpoint)}/w/rest.php/v1/search/page?${parameters}` }
  },
  read: createRead(Body, ({ pages }, query, endpoint) => ({
    results: pages.map(({ key, title, excerpt, description }) => ({
      title,
      url: `${getBase(query, endpoint)}/wiki/${encodeURIComponent(key)}`,
      excerpt: [description, toPlainText(excerpt)]
        .filter((text) => typeof text === 'string' && text)
        .join(': '),
    })),
  })),
}
