/**
 * Finds the statements that are shown with the messages of a turn: those that share words with a message and
 * that the system prompt has no room for.
 */
import type { Seq } from '../../../facts/fact-values.ts'
import type { Journal } from '../../../facts/persona-journal.ts'
import { getContent } from '../../../projections/message-parts.ts'
import { countValues, isAt, valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { PromptState } from '../../../projections/prompt-base.ts'
import { type Inbox, inboxKey } from '../../../projections/talk.ts'
import type { SearchOfOne } from '../../search/search.ts'
import { getShownIds } from '../prompt/persona-prompt.ts'
import type { TokenBudget } from '../prompt/prompt-part.ts'
import { readVoiceLines } from '../prompt/voice-lines.ts'
import { createWordIndex, splitWords } from './word-match.ts'

interface TurnToBegin {
  readonly inbox: Inbox
  /** The last message of the turn. */
  readonly upTo: Seq
  /** First fact of the talk that the prompt shows. */
  readonly window: Seq
  readonly budget: TokenBudget
  readonly zone: string
  readonly search: SearchOfOne
}

const maxShown = 5
/** Hits that are read, since the system prompt or the talk may show some of them. */
const maxHits = 40
/** Different words of the messages that are searched. */
const maxWords = 40

/** Returns the facts of the statements, the best match first. */
export const findKnown = async (
  { persona, journal }: { readonly persona: Persona; readonly journal: Journal },
  { inbox, upTo, window, budget, zone, search }: TurnToBegin,
): Promise<readonly Seq[]> => {
  // A block of the talk is dropped with this turn, so the system prompt shows the present state.
  const isRenewed = persona.base.window !== null && persona.base.window !== window
  const state = isRenewed ? persona : persona.base
  const lines = await readVoiceLines(journal, persona, state)
  const isHidden = createHiddenCheck(persona, state, { budget, lines, now: persona.base.at, zone })
  if (!isHidden) return []
  const words = await readWords(journal, inbox, upTo)
  if (words.length === 0) return []
  const { hits } = await search(
    { persona, journal },
    {
      text: words.join(' '),
      now: { at: persona.base.at, zone },
      before: journal.head.seq + 1,
      limit: maxHits,
      by: 'words',
      isPartial: true,
      kinds: ['memory'],
    },
  )
  const foundSeqs = hits.flatMap(({ entry, text }) => {
    const index = createWordIndex([text])
    return isHidden(entry.seq, entry.event) && words.some((word) => index.has(word)) ? entry.seq : []
  })
  if (foundSeqs.length === 0) return []
  const attachedSeqs = await readAttached(journal, window)
  return foundSeqs.filter((seq) => !attachedSeqs.has(seq)).slice(0, maxShown)
}

/**
 * Returns a check for statements that the prompt does not show; null if it shows all. Later ones are part of
 * the talk. Permissions and traits of the persona are shown in the system prompt and nowhere else.
 */
const createHiddenCheck = (
  { knowledge }: Persona,
  state: PromptState,
  context: Parameters<typeof getShownIds>[1],
) => {
  const { statements } = state.knowledge
  const shownIds = getShownIds(state, context)
  if (shownIds.size === countValues(statements)) return null
  return (seq: Seq, event: object): boolean => {
    const id = 'id' in event ? String(event.id) : ''
    const statement = valueAt(knowledge.statements, id)
    return (
      statement?.seq === seq &&
      !shownIds.has(id) &&
      isAt(statements, id) &&
      statement.document !== 'permissions' &&
      statement.document !== 'persona-trait'
    )
  }
}

/** Returns the meaningful words of the messages, the last ones first. */
const readWords = async (journal: Journal, inbox: Inbox, upTo: Seq): Promise<readonly string[]> => {
  const words: string[] = []
  for await (const { event } of journal.read({ kind: 'talk', after: inbox.consumed, upTo }))
    if (event.type === 'MessageHeard' && inboxKey(event.channel) === inboxKey(inbox.channel))
      words.unshift(...splitWords(getContent(event)))
  return [...new Set(words)].slice(0, maxWords)
}

/** Returns the facts of the statements that messages of the talk already show. */
const readAttached = async (journal: Journal, window: Seq): Promise<ReadonlySet<Seq>> => {
  const attachedSeqs = new Set<Seq>()
  for await (const entry of journal.read({ after: window - 1 })) {
    if (entry.type !== 'TurnBegan' || entry.event.type !== 'TurnBegan') continue
    for (const seq of entry.event.known ?? []) attachedSeqs.add(seq)
  }
  return attachedSeqs
}
