/** What of her talk is to be gone over next, and what a day was, read from the journal. */
import type { EventOf, Seq } from '../../journal/events.ts'
import type { Entry, Journal } from '../../journal/journal.ts'
import type { Persona } from '../../projections/persona.ts'
import { waiting } from '../../projections/talk.ts'
import { type Room, tokensIn } from './room.ts'
import { readPerceived } from './talk.ts'
import { wallOf } from './wall.ts'

/** What still waits for an answer belongs to the talk that is to come. */
const answeredUpTo = ({ talk }: Persona, upTo: Seq): Seq | 0 => {
  const oldest = Math.min(...waiting(talk).map(({ oldest }) => oldest ?? Infinity))
  return Math.min(upTo, oldest - 1, talk.turn ? talk.turn.stimuli.after : Infinity)
}

/** In tokens: the number, the time and who spoke, and what is shown of a file. */
const weightOfLine = 16
const weightOfFile = 320
const mostOfMessage = 1800

/** The oldest talk not yet gone over that fits, up to a position; it ends where a turn does. Null when there is none. */
export const readSpan = async (journal: Journal, persona: Persona, upTo: Seq | 0, { consolidation }: Room) => {
  const end = answeredUpTo(persona, upTo)
  const after = persona.days.consolidated
  const entries: Entry[] = []
  let whole = 0
  let room = consolidation
  if (end > after)
    for await (const entry of journal.read({ kind: 'talk', after, upTo: end })) {
      const { event } = entry
      if (event.type !== 'MessageHeard' && event.type !== 'MessageSpoken') continue
      if (event.type === 'MessageHeard' && entries.at(-1)?.type === 'MessageSpoken') whole = entries.length
      room -= weightOfLine + Math.min(tokensIn(event.content), mostOfMessage) + (event.media ? weightOfFile : 0)
      if (room < 0 && entries.length > 0) {
        const span = entries.slice(0, whole || entries.length)
        return { entries: span, perceived: await readPerceived(journal, span) }
      }
      entries.push(entry)
    }
  return entries.length > 0 ? { entries, perceived: await readPerceived(journal, entries) } : null
}

export type Day = Omit<EventOf<'DayClosed'>, 'type' | 'after' | 'summary' | 'by'> & { readonly excerpt: string }

/** The dates on the wall since the last closed day, each with what was said on it, as an excerpt. */
export const readDays = async (journal: Journal, persona: Persona, upTo: Seq, zone: string): Promise<readonly Day[]> => {
  const end = answeredUpTo(persona, upTo)
  const { closed } = persona.days
  const days = new Map<string, Day>()
  if (end > closed)
    for await (const { seq, at, event } of journal.read({ kind: 'talk', after: closed, upTo: end })) {
      if (event.type !== 'MessageHeard' && event.type !== 'MessageSpoken') continue
      const date = wallOf(at, zone).slice(0, 10)
      const day = days.get(date) ?? { upTo: seq, began: at, ended: at, excerpt: '' }
      const excerpt = event.type === 'MessageHeard' ? excerptWith(day.excerpt, event) : day.excerpt
      days.set(date, { upTo: seq, began: Math.min(day.began, at), ended: Math.max(day.ended, at), excerpt })
    }
  // A clock that jumps back gives a date twice: days end in the order of what was said.
  return [...days.values()].sort((one, other) => one.upTo - other.upTo)
}

const longestExcerpt = 600

const excerptWith = (excerpt: string, { content, media }: EventOf<'MessageHeard'>): string => {
  const words = (content || media?.name || '').replace(/\s+/g, ' ').trim().slice(0, 120).toWellFormed()
  return words === '' || excerpt.length > longestExcerpt ? excerpt : `${excerpt}${excerpt ? ' · ' : ''}“${words}”`
}
