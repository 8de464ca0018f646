/**
 * What a turn is told of the talk: what came before it, what it took, and what it has done so far, read from
 * the journal.
 */

import type { Answer, Seq } from '../../../journal/facts/fact-values.ts'
import { type EventOf, isIn, type PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Entry, Journal } from '../../../journal/log/journal.ts'
import type { Opaque } from '../../../packages/models/mind.ts'
import { contentOf, isOfOthers } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { type Inbox, inboxKey, type Talk, type Turn } from '../../../projections/talk.ts'
import { keptAnswer, keptOpaque } from '../../persona/prune-calls.ts'
import { type TokenBudget, tokensIn } from './token-budget.ts'

const mostMessages = 400
/** Messages from before the last going over that stay before it: it does not lose the thread over it. */
const overlap = 8

export interface Heard {
  readonly before: readonly Entry[]
  readonly cut: boolean
  readonly heard: readonly Entry[]
}

/** The last of the waiting messages that fit into one turn; always at least one. */
export const fitting = async (journal: Journal, inbox: Inbox, { talk }: TokenBudget): Promise<Seq> => {
  let left = talk
  let last: Seq | 0 = 0
  let messages = 0
  for await (const { seq, event } of journal.read({
    kind: 'talk',
    after: inbox.consumed,
    upTo: inbox.heard,
  })) {
    if (event.type !== 'MessageHeard' || inboxKey(event.channel) !== inboxKey(inbox.channel)) continue
    left -= weightOf(event, weightOfFile.now)
    messages++
    if (last > 0 && (left < 0 || messages > mostMessages)) return last
    last = seq
  }
  return last || inbox.heard
}

/**
 * In tokens, at least: what was perceived of a file stands beside its words, as much as there is room for; of
 * one from earlier only its beginning.
 */
const weightOfFile = { now: 256, past: 128 }
const weightOfMessage = 8
/** Of what says whose words they are. */
const weightOfMark = 16
const weightOf = (event: PersonaEvent, file: number): number => {
  if (!isIn('talk', event)) return 0
  const { media } = event
  const content = contentOf(event)
  const marks = event.type === 'MessageHeard' ? event.parts.filter(isOfOthers).length * weightOfMark : 0
  const words = weightOfMessage + tokensIn(content) + marks
  if (!media) return words
  return words + file + (media.caption === content ? 0 : tokensIn(media.caption))
}

/**
 * A step of a turn: what it answered and what its tools gave back. `seq`: the fact it stands in; null where
 * nobody keeps it.
 */
export interface Stepped {
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
 * `spoke`: it has said something in this turn. `began`: calls whose effect began and that never answered, by
 * id.
 */
export interface Progress {
  readonly steps: readonly (Stepped & { readonly step: number })[]
  readonly began: ReadonlySet<string>
  readonly spoke: boolean
}

export const readTalk = async (
  journal: Journal,
  { talk, days }: Persona,
  turn: Turn,
  budget: TokenBudget,
): Promise<Heard> => {
  const earlier: Entry[] = []
  const take = async (range: { readonly after?: Seq; readonly upTo: Seq; readonly last: number }) => {
    for await (const entry of journal.read({ kind: 'talk', ...range }))
      if (isPast(talk, entry)) earlier.push(entry)
  }
  const { consolidated } = days
  if (consolidated > 0) await take({ upTo: consolidated, last: overlap })
  const thread = earlier.length
  await take({ after: consolidated, upTo: turn.id, last: mostMessages })
  const taken: Entry[] = []
  const { after, upTo } = turn.stimuli
  if (upTo > after)
    for await (const entry of journal.read({ kind: 'talk', after, upTo }))
      if (entry.event.type === 'MessageHeard' && inboxKey(entry.event.channel) === inboxKey(turn.channel))
        taken.push(entry)
  const before = latest(earlier, budget)
  return {
    heard: taken,
    before,
    cut: before.length < earlier.length || thread === overlap || earlier.length - thread === mostMessages,
  }
}

/** A message that still waits belongs to its own turn, this one or a later one. */
const isPast = (talk: Talk, { seq, event }: Entry): boolean =>
  event.type !== 'MessageHeard' ||
  event.channel === null ||
  seq <= (talk.inboxes[inboxKey(event.channel)]?.consumed ?? 0)

/**
 * As many of the latest turns as fit, each whole; the last one in any case, for its long messages are cut
 * where they are told.
 */
const latest = (entries: readonly Entry[], { talk }: TokenBudget): readonly Entry[] => {
  let left = talk
  let first = entries.length
  for (let i = entries.length - 1; i >= 0; i--) {
    const event = entries[i]?.event
    left -= event ? Math.min(weightOf(event, weightOfFile.past), talk / 4) : 0
    if (left < 0 && first < entries.length) break
    if (beginsTurn(entries, i)) first = i
  }
  return first < entries.length ? entries.slice(first) : entries.slice(-1)
}

/** Words of the person after words of its own, or the first there are. */
const beginsTurn = (entries: readonly Entry[], i: number): boolean =>
  entries[i]?.type === 'MessageHeard' && entries[i - 1]?.type !== 'MessageHeard'

/** What was perceived of a file, and the fact it stands in. */
export type Seen = EventOf<'MediaDescribed'> & { readonly seq: Seq }

/** What was perceived of the files that came with these messages; the first of several counts. */
export const readPerceived = async (
  journal: Journal,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Seq, Seen>> => {
  const perceived = new Map<Seq, Seen>()
  const first = entries.find(({ event }) => event.type === 'MessageHeard' && event.media)?.seq
  if (first === undefined) return perceived
  for await (const { seq, event } of journal.read({ kind: 'media', after: first }))
    if (event.type === 'MediaDescribed' && !perceived.has(event.message))
      perceived.set(event.message, { ...event, seq })
  return perceived
}

export const readProgress = async (journal: Journal, turn: Seq): Promise<Progress> => {
  const steps: (Omit<Progress['steps'][number], 'results'> & { results: Stepped['results'][number][] })[] = []
  const began = new Set<string>()
  let spoke = false
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
    if (event.type === 'MessageSpoken') spoke = true
    if (event.type === 'ToolCalled') began.add(event.call)
    if (event.type === 'ToolAnswered') {
      const { call, name, output } = event
      began.delete(call)
      steps.find(({ step }) => step === event.step)?.results.push({ seq, call, name, output })
    }
  }
  return { steps, began, spoke }
}

/** What else was written meanwhile is not decoded: a turn may lie long. */
const ofTurns: ReadonlySet<string> = new Set(['ModelAnswered', 'MessageSpoken', 'ToolCalled', 'ToolAnswered'])

/** An answer that is lost counts so. */
const silence: Answer = { text: '', calls: [] }
