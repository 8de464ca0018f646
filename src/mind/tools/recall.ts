/** recall: what was said to her and elsewhere, what files held, what she keeps in mind and what her days were, over her whole life. */
import * as z from 'zod'
import type { Seq } from '../../../journal/events.ts'
import type { Entry } from '../../../journal/journal.ts'
import { isoWithOffset } from '../../clock.ts'
import type { Hit } from '../../search/find.ts'
import { excerptOf, queryOf } from '../../search/query.ts'
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
    const ask = { query: wanted, before: turn + 1, limit, kinds: ['said', 'file', 'memory', 'day', 'history'] } as const
    const { hits } = await search.find({ persona, journal }, ask)
    if (hits.length > 0 || wanted.length < 2) return { ok: true, output: { found: told(hits) } }
    const some = await search.findSome({ persona, journal }, ask)
    return { ok: true, output: { found: told(some), ...(some.length > 0 && { partly: true }) } }
  },
})

interface Told {
  readonly seq: Seq
  readonly time: string
  readonly role: 'person' | 'assistant' | 'memory' | 'day' | 'file' | 'elsewhere'
  readonly content: string
  /** The AI that it was said to, as the person calls it. */
  readonly source?: string
  readonly file?: { readonly name: string; readonly file: string; readonly holds: string }
}

/** UTF-16 units. */
const mostShown = 1000

/** A file is told with the message it came with, once, and with the words that were found in it. */
const told = (hits: readonly Hit[]): readonly Told[] => {
  const all = new Map<Seq, Told>()
  for (const hit of hits) {
    const one = tell(hit)
    if (hit.kind === 'file' || !all.has(one.seq)) all.set(one.seq, one)
  }
  return [...all.values()]
}

const tell = ({ entry, kind, text, place, bearer }: Hit): Told => {
  const found = excerptOf(text, place, mostShown)
  if (bearer) {
    const { name, filename } = bearer.media
    return { ...spoken(bearer.entry), content: bearer.event.content.slice(0, mostShown), file: { name, file: filename, holds: found } }
  }
  const { event } = entry
  if (event.type === 'HistoryFed') return { ...moment(entry), role: 'elsewhere', content: found, source: event.source }
  if (event.type !== 'MessageHeard' && event.type !== 'MessageSpoken') {
    return { ...moment(entry), role: kind === 'memory' || kind === 'day' ? kind : 'file', content: found }
  }
  const { content, media } = event
  const file = media && { name: media.name, file: media.filename, holds: media.caption.slice(0, mostShown) }
  return { ...spoken(entry), content: content.length > mostShown ? found : content, ...(file && { file }) }
}

const moment = ({ seq, at, offset }: Entry) => ({ seq, time: isoWithOffset(at, offset) })

const spoken = (entry: Entry) => ({ ...moment(entry), role: entry.type === 'MessageHeard' ? ('person' as const) : ('assistant' as const) })
