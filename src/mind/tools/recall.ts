/**
 * recall: what was said to it and elsewhere, what files held, what it keeps in mind and what its days were,
 * over its whole life.
 */
import * as z from 'zod'
import type { Seq } from '../../../journal/facts/fact-values.ts'
import { isIn } from '../../../journal/facts/facts.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import { contentOf, ownWordsOf } from '../../../projections/message-parts.ts'
import type { Hit } from '../../search/find.ts'
import { excerptOf, queryOf } from '../../search/query.ts'
import { isoWithOffset } from '../../time/clock.ts'
import { bringsOthers } from '../memory/own-words.ts'
import { defineTool } from './tool.ts'

const Input = z.object({
  query: z.string().trim().min(1).max(500).describe('words to look for; "in quotation marks" side by side'),
  limit: z.int().min(1).max(20).optional(),
})

export const recall = defineTool({
  name: 'recall',
  description:
    'Search everything that was ever said between you and the person, all files that came or were made, what you remember, the days that are over and what the person talked about with other AIs (role elsewhere), newest first. Use it when something is not before you.',
  input: Input,
  run: async ({ query, limit = 8 }, { persona, journal, turn, search }) => {
    const wanted = queryOf(query, 'every')
    const ask = {
      query: wanted,
      before: turn + 1,
      limit,
      kinds: ['said', 'file', 'memory', 'day', 'history'],
    } as const
    const { hits } = await search.find({ persona, journal }, ask)
    if (hits.length > 0 || wanted.length < 2) return { ok: true, output: { found: told(hits) } }
    const some = await search.findSome({ persona, journal }, ask)
    return { ok: true, output: { found: told(some), ...(some.length > 0 && { partly: true }) } }
  },
})

interface Recalled {
  readonly seq: Seq
  readonly time: string
  /** `others`: words that somebody else said, which the person passed on. */
  readonly role: 'person' | 'others' | 'assistant' | 'memory' | 'day' | 'file' | 'elsewhere'
  readonly content: string
  /** Words of others stand in it, too. */
  readonly others?: true
  /** The AI that it was said to, as the person calls it. */
  readonly source?: string
  readonly file?: { readonly name: string; readonly file: string; readonly holds: string }
}

/** UTF-16 units. */
const mostShown = 1000

/** A file is told with the message it came with, once, and with the words that were found in it. */
const told = (hits: readonly Hit[]): readonly Recalled[] => {
  const all = new Map<Seq, Recalled>()
  for (const hit of hits) {
    const one = tell(hit)
    if (hit.kind === 'file' || !all.has(one.seq)) all.set(one.seq, one)
  }
  return [...all.values()]
}

const tell = ({ entry, kind, text, place, bearer }: Hit): Recalled => {
  const found = excerptOf(text, place, mostShown)
  if (bearer) {
    const { name, filename } = bearer.media
    return {
      ...spoken(bearer.entry),
      content: contentOf(bearer.event).slice(0, mostShown),
      file: { name, file: filename, holds: found },
    }
  }
  const { event } = entry
  if (event.type === 'HistoryFed')
    return { ...moment(entry), role: 'elsewhere', content: found, source: event.source }
  if (!isIn('talk', event)) {
    return { ...moment(entry), role: kind === 'memory' || kind === 'day' ? kind : 'file', content: found }
  }
  const { media } = event
  const content = contentOf(event)
  const file = media && { name: media.name, file: media.filename, holds: media.caption.slice(0, mostShown) }
  return { ...spoken(entry), content: content.length > mostShown ? found : content, ...(file && { file }) }
}

const moment = ({ seq, at, offset }: Entry) => ({ seq, time: isoWithOffset(at, offset) })

const spoken = (entry: Entry) => {
  const role = roleOf(entry)
  return {
    ...moment(entry),
    role,
    ...(role === 'person' && bringsOthers(entry) && { others: true as const }),
  }
}

/** Lines that begin with `>` in words of the person are somebody else's, behind a mark that says whose. */
const roleOf = (entry: Entry): 'person' | 'others' | 'assistant' => {
  const { event } = entry
  if (event.type !== 'MessageHeard') return 'assistant'
  return event.channel !== null && bringsOthers(entry) && ownWordsOf(event) === '' ? 'others' : 'person'
}
