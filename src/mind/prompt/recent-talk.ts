/**
 * Reads the talk of a turn from the journal: earlier messages, the messages to answer, and the completed
 * steps.
 */

import type { Answer, Seq } from '../../../journal/facts/fact-values.ts'
import { type EventOf, isIn, type PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Entry, Journal } from '../../../journal/log/journal.ts'
import type { Opaque } from '../../../packages/models/mind.ts'
import { getContent, isOfOthers } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { type Inbox, inboxKey, type Talk, type Turn } from '../../../projections/talk.ts'
import { keptAnswer, keptOpaque } from '../../persona/prune-calls.ts'
import { type TokenBudget, tokensIn } from './prompt-part.ts'

const maxMessages = 400
/** Messages from before the last consolidation that remain in the prompt, for continuity. */
const overlap = 8

export interface RecentTalk {
  readonly before: readonly Entry[]
  readonly cut: boolean
  readonly heard: readonly Entry[]
}

/** Returns the last waiting message that fits into one turn. Takes at least one message. */
export const findTalkStart = async (journal: Journal, inbox: Inbox, { talk }: TokenBudget): Promise<Seq> => {
  let tokensLeft = talk
  let last: Seq | 0 = 0
  let messages = 0
  for await (const { seq, event } of journal.read({
    kind: 'talk',
    after: inbox.consumed,
    upTo: inbox.heard,
  })) {
    if (event.type !== 'MessageHeard' || inboxKey(event.channel) !== inboxKey(inbox.channel)) continue
    tokensLeft -= estimateTokens(event, weightOfFile.now)
    messages++
    if (last > 0 && (tokensLeft < 0 || messages > maxMessages)) return last
    last = seq
  }
  return last || inbox.heard
}

/**
 * Min tokens reserved for a file's description. Files of this turn get as much as fits; earlier files only
 * their beginning.
 */
const weightOfFile = { now: 256, past: 128 }
const weightOfMessage = 8
/** Tokens of the mark that names the author. */
const weightOfMark = 16
const estimateTokens = (event: PersonaEvent, file: number): number => {
  if (!isIn('talk', event)) return 0
  const { media } = event
  const content = getContent(event)
  const marks = event.type === 'MessageHeard' ? event.parts.filter(isOfOthers).length * weightOfMark : 0
  const words = weightOfMessage + tokensIn(content) + marks
  if (!media) return words
  return words + file + (media.caption === content ? 0 : tokensIn(media.caption))
}

/**
 * A step of a turn: the model's answer and the tool results. `seq`: its fact, or null if the talk is not
 * stored.
 */
export interface TurnStep {
  readonly seq: Seq | null
  readonly answer: Answer
  readonly opaque?: Opaque | undefined
  readonly results: readonly {
    readonly seq: Seq | null
    readonly call: string
    readonly name: string
    readonly output: unknown
  }[]
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

export const readTalk = async (
  journal: Journal,
  { talk, days }: Persona,
  turn: Turn,
  budget: TokenBudget,
): Promise<RecentTalk> => {
  const earlier: Entry[] = []
  const take = async (range: { readonly after?: Seq; readonly upTo: Seq; readonly last: number }) => {
    for await (const entry of journal.read({ kind: 'talk', ...range }))
      if (isPast(talk, entry)) earlier.push(entry)
  }
  const { consolidated } = days
  if (consolidated > 0) await take({ upTo: consolidated, last: overlap })
  const thread = earlier.length
  await take({ after: consolidated, upTo: turn.id, last: maxMessages })
  const turnMessages: Entry[] = []
  const { after, upTo } = turn.stimuli
  if (upTo > after)
    for await (const entry of journal.read({ kind: 'talk', after, upTo }))
      if (entry.event.type === 'MessageHeard' && inboxKey(entry.event.channel) === inboxKey(turn.channel))
        turnMessages.push(entry)
  const before = latest(earlier, budget)
  return {
    heard: turnMessages,
    before,
    cut: before.length < earlier.length || thread === overlap || earlier.length - thread === maxMessages,
  }
}

/** A waiting message belongs to its own turn, this one or a later one. */
const isPast = (talk: Talk, { seq, event }: Entry): boolean =>
  event.type !== 'MessageHeard' ||
  event.channel === null ||
  seq <= (talk.inboxes[inboxKey(event.channel)]?.consumed ?? 0)

/**
 * Returns the latest whole turns that fit, at least the last one. Its long messages are cut in the prompt.
 */
const latest = (entries: readonly Entry[], { talk }: TokenBudget): readonly Entry[] => {
  let tokensLeft = talk
  let first = entries.length
  for (let i = entries.length - 1; i >= 0; i--) {
    const event = entries[i]?.event
    tokensLeft -= event ? Math.min(estimateTokens(event, weightOfFile.past), talk / 4) : 0
    if (tokensLeft < 0 && first < entries.length) break
    if (beginsTurn(entries, i)) first = i
  }
  return first < entries.length ? entries.slice(first) : entries.slice(-1)
}

/** A turn begins with a user message that follows one of the persona, or with the first user message. */
const beginsTurn = (entries: readonly Entry[], i: number): boolean =>
  entries[i]?.type === 'MessageHeard' && entries[i - 1]?.type !== 'MessageHeard'

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
  const steps: (Omit<Progress['steps'][number], 'results'> & { results: TurnStep['results'][number][] })[] =
    []
  const began = new Set<string>()
  let hasSpoken = false
  for await (const entry of journal.read({ after: turn })) {
    if (!ofTurns.has(entry.type)) continue
    const { seq, event } = entry
    if (!('turn' in event) || event.turn !== turn) continue
    if (event.type === 'ModelAnswered' && event.cause === 'turn' && event.step !== null)
      steps.push({
        seq,
        step: event.step,
        answer: (await keptAnswer(journal, event)) ?? silence,
        opaque: await keptOpaque(journal, event),
        results: [],
      })
    if (event.type === 'MessageSpoken') hasSpoken = true
    if (event.type === 'ToolCalled') began.add(event.call)
    if (event.type === 'ToolAnswered') {
      const { call, name, output } = event
      began.delete(call)
      steps.find(({ step }) => step === event.step)?.results.push({ seq, call, name, output })
    }
  }
  return { steps, began, hasSpoken }
}

/** Other facts are not decoded, because a turn can span a large part of the journal. */
const ofTurns: ReadonlySet<string> = new Set(['ModelAnswered', 'MessageSpoken', 'ToolCalled', 'ToolAnswered'])

/** Replaces an answer that was erased. */
const silence: Answer = { text: '', calls: [] }
