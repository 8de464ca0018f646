/** Reads a turn from the journal: its messages, the descriptions of their files, and the completed steps. */

import type { Seq } from '../../../facts/fact-values.ts'
import { type EventOf, isIn, type PersonaEvent } from '../../../facts/facts.ts'
import type { Entry, Journal } from '../../../facts/persona-journal.ts'
import { getContent, isOfOthers } from '../../../projections/message-parts.ts'
import { type Inbox, inboxKey } from '../../../projections/talk.ts'
import { type TokenBudget, tokensIn } from './prompt-part.ts'
import { readStep, type ToolOutput, type TurnStep } from './talk-items.ts'

/** Max messages of one turn. */
const maxMessages = 400

/** Returns the last waiting message that fits into one turn. Takes at least one message. */
export const findLastFitting = async (
  journal: Journal,
  inbox: Inbox,
  { talk }: TokenBudget,
): Promise<Seq> => {
  let tokensLeft = talk
  let last: Seq | 0 = 0
  let messages = 0
  for await (const { seq, event } of journal.read({
    kind: 'talk',
    after: inbox.consumed,
    upTo: inbox.heard,
  })) {
    if (event.type !== 'MessageHeard' || inboxKey(event.channel) !== inboxKey(inbox.channel)) continue
    tokensLeft -= estimateTokens(event)
    messages++
    if (last > 0 && (tokensLeft < 0 || messages > maxMessages)) return last
    last = seq
  }
  return last || inbox.heard
}

/** Min tokens reserved for a file's description. */
const weightOfFile = 256
const weightOfMessage = 8
/** Tokens of the mark that names the author. */
const weightOfMark = 16
const estimateTokens = (event: PersonaEvent): number => {
  if (!isIn('talk', event)) return 0
  const { media } = event
  const content = getContent(event)
  const marks = event.type === 'MessageHeard' ? event.parts.filter(isOfOthers).length * weightOfMark : 0
  const words = weightOfMessage + tokensIn(content) + marks
  if (!media) return words
  return words + weightOfFile + (media.caption === content ? 0 : tokensIn(media.caption))
}

/**
 * `hasSpoken`: the persona already sent a message in this turn. `began`: ids of calls whose effect began
 * without a recorded answer.
 */
export interface Progress {
  readonly steps: readonly (TurnStep & { readonly step: number })[]
  readonly began: ReadonlySet<string>
  readonly hasSpoken: boolean
}

/** The description of a file, and its fact. */
export type Perception = EventOf<'MediaDescribed'> & { readonly seq: Seq }

/**
 * Returns the descriptions of files that came with these messages. If there are several, the first counts.
 */
export const readPerceived = async (
  journal: Journal,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Seq, Perception>> => {
  const perceptions = new Map<Seq, Perception>()
  const first = entries.find(({ event }) => event.type === 'MessageHeard' && event.media)?.seq
  if (first === undefined) return perceptions
  for await (const { seq, event } of journal.read({ kind: 'media', after: first }))
    if (event.type === 'MediaDescribed' && !perceptions.has(event.message))
      perceptions.set(event.message, { ...event, seq })
  return perceptions
}

export const readProgress = async (journal: Journal, turn: Seq): Promise<Progress> => {
  const steps: (Omit<Progress['steps'][number], 'results'> & { results: ToolOutput[] })[] = []
  const startedCalls = new Set<string>()
  let hasSpoken = false
  for await (const entry of journal.read({ after: turn })) {
    if (!ofTurns.has(entry.type)) continue
    const { seq, event } = entry
    if (!('turn' in event) || event.turn !== turn) continue
    if (event.type === 'ModelAnswered' && event.cause === 'turn' && event.step !== null)
      steps.push({ ...(await readStep(journal, seq, event)), step: event.step })
    if (event.type === 'MessageSpoken') hasSpoken = true
    if (event.type === 'ToolCalled') startedCalls.add(event.call)
    if (event.type === 'ToolAnswered') {
      const { call, name, output } = event
      startedCalls.delete(call)
      steps.find(({ step }) => step === event.step)?.results.push({ seq, call, name, output })
    }
  }
  return { steps, began: startedCalls, hasSpoken }
}

/** Other facts are not decoded, because a turn can span a large part of the journal. */
const ofTurns: ReadonlySet<string> = new Set(['ModelAnswered', 'MessageSpoken', 'ToolCalled', 'ToolAnswered'])
