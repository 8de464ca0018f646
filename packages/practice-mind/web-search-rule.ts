/** The rule that searches the web when the user asks for it, and the answer from its results. */
import { excerpt, type Rule, say, wish } from './reply.ts'
import { type Result, type Situation, toRecord } from './situation.ts'
import { wordsOf } from './words.ts'

/** Max UTF-16 units of a query. */
const maxQueryUnits = 300

export const searchWeb: Rule = (clause, situation) => {
  const { webSearch, requestPrefix } = wordsOf(situation)
  const request = clause
    .replace(requestPrefix, '')
    .replace(/(?<![.!?])[.!?]+$/, '')
    .replace(/,? (?:please|bitte)$/i, '')
  const query = webSearch.forms.map((form) => form.exec(request)?.groups?.query?.trim()).find(Boolean)
  if (!query || webSearch.ownTalk.test(request)) return undefined
  if (!situation.tools.has('search_web')) return say(webSearch.cannot)
  return wish({ name: 'search_web', input: { query: query.slice(0, maxQueryUnits).toWellFormed() } })
}

/** Max results in an answer. */
const maxResults = 3

export const tellSearched = ({ input, output }: Result, situation: Situation): string => {
  const { webSearch } = wordsOf(situation)
  const query = typeof input.query === 'string' ? input.query : ''
  const pages = (Array.isArray(output?.results) ? output.results : []).flatMap(toLine)
  return pages.length > 0
    ? `${webSearch.found(query)}\n${pages.slice(0, maxResults).join('\n')}`
    : webSearch.nothing(query)
}

/** Returns undefined for an error of the provider. */
export const tellNotAllowed = ({ name, output }: Result, situation: Situation): string | undefined => {
  if (name !== 'search_web' || typeof output?.error !== 'string') return undefined
  const { webSearch } = wordsOf(situation)
  if (/does not want|was asked, and/.test(output.error)) return webSearch.notAllowed
  return /^No search provider can be used/.test(output.error) ? webSearch.unavailable : undefined
}

const toLine = (result: unknown): readonly string[] => {
  const { title, url, excerpt: text } = toRecord(result) ?? {}
  if (typeof url !== 'string' || !URL.canParse(url)) return []
  const { hostname } = new URL(url)
  const name = typeof title === 'string' && title.trim() ? excerpt(title, 120) : hostname
  const words = typeof text === 'string' ? excerpt(text, 240) : ''
  return [`- ${name} (${hostname.replace(/^www\./, '')})${words ? `: ${words}` : ''}`]
}
