/** Reads the messages that the user marked as typical: example lines of the character. */
import type { Seq } from '../../../facts/fact-values.ts'
import type { Journal } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { cutMark, isByDaemon } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Self } from '../../../projections/self.ts'
import { removeMarkup } from './marked-data.ts'

export interface VoiceLine {
  readonly seq: Seq
  /** On one line, shortened. */
  readonly text: string
  /** Words of others in it. */
  readonly borrowed: readonly string[]
}

/** In UTF-16 units. */
const maxLineLength = 300

/**
 * `base`: the state that the system prompt is rendered from. A line that was marked since is not shown yet.
 * One that is not marked any more, or whose message is hidden or erased, is not shown.
 */
export const readVoiceLines = async (
  journal: Pick<Journal, 'read'>,
  { self, talk }: Pick<Persona, 'self' | 'talk'>,
  base: { readonly self: Pick<Self, 'voice'> },
): Promise<readonly VoiceLine[]> => {
  // One that was unmarked and marked again since is a new one.
  const markSeqs = new Set(self.voice.map(({ seq }) => seq))
  const shownLines = base.self.voice.filter(
    ({ message, seq }) => markSeqs.has(seq) && talk.hidden[message] === undefined,
  )
  const lines = await Promise.all(shownLines.map(({ message }) => readVoiceLine(journal, message)))
  return lines.flatMap((line) => line ?? [])
}

/** Returns null if the message has no text of the persona. */
export const readVoiceLine = async (journal: Pick<Journal, 'read'>, seq: Seq): Promise<VoiceLine | null> => {
  const entry = await entryAt(journal, seq)
  if (!entry || entry.erased || entry.event.type !== 'MessageSpoken' || isByDaemon(entry.event)) return null
  const { content, borrowed = [] } = entry.event
  const text = removeMarkup(content.replace(cutMark, '')).replace(/\s+/g, ' ').trim()
  if (text === '') return null
  const shortText = text.length > maxLineLength ? `${text.slice(0, maxLineLength).toWellFormed()}…` : text
  return { seq, text: shortText, borrowed }
}
