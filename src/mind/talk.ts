/** What a turn is told of the talk: what came before it, what it took, and what it has done so far, read from the journal. */
import { Answer, type EventOf, type PersonaEvent, type Seq } from '../../journal/events.ts'
import type { Entry, Journal } from '../../journal/journal.ts'
import { type Inbox, inboxKey, type Talk, type Turn } from '../../projections/talk.ts'
import type { Stepped } from './prompt.ts'

/** Talk before the turn that a model is shown at most, in characters: about 6000 tokens. */
const mostCharacters = 24_000
const mostMessages = 400

export interface Heard {
  readonly before: readonly Entry[]
  readonly cut: boolean
  readonly heard: readonly Entry[]
}

/** The last of the waiting messages that fit into one turn; always at least one. */
export const fitting = async (journal: Journal, inbox: Inbox): Promise<Seq> => {
  let room = mostCharacters
  let last: Seq | 0 = 0
  let messages = 0
  for await (const { seq, event } of journal.read({ kind: 'talk', after: inbox.consumed, upTo: inbox.heard })) {
    if (event.type !== 'MessageHeard' || inboxKey(event.channel) !== inboxKey(inbox.channel)) continue
    room -= weightOf(event, weightOfFile.now)
    messages++
    if (last > 0 && (room < 0 || messages > mostMessages)) return last
    last = seq
  }
  return last || inbox.heard
}

/** What was perceived of a file stands beside its words; of one from earlier only its beginning. */
const weightOfFile = { now: 4000, past: 2000 }
const weightOf = (event: PersonaEvent, file: number): number => {
  if (event.type !== 'MessageHeard' && event.type !== 'MessageSpoken') return 0
  const { content, media } = event
  if (!media) return content.length
  return content.length + file + (media.caption === content ? 0 : media.caption.length)
}

/** `spoke`: she has said something in this turn. `began`: calls whose effect began and that never answered, by id. */
export interface Progress {
  readonly steps: readonly (Stepped & { readonly step: number })[]
  readonly began: ReadonlySet<string>
  readonly spoke: boolean
}

export const readTalk = async (journal: Journal, talk: Talk, turn: Turn): Promise<Heard> => {
  const earlier: Entry[] = []
  for await (const entry of journal.read({ kind: 'talk', upTo: turn.id, last: mostMessages })) if (isPast(talk, entry)) earlier.push(entry)
  const taken: Entry[] = []
  const { after, upTo } = turn.stimuli
  if (upTo > after)
    for await (const entry of journal.read({ kind: 'talk', after, upTo }))
      if (entry.event.type === 'MessageHeard' && inboxKey(entry.event.channel) === inboxKey(turn.channel)) taken.push(entry)
  const before = latest(earlier)
  return { heard: taken, before, cut: before.length < earlier.length || earlier.length === mostMessages }
}

/** A message that still waits belongs to its own turn, this one or a later one. */
const isPast = (talk: Talk, { seq, event }: Entry): boolean =>
  event.type !== 'MessageHeard' || event.channel === null || seq <= (talk.inboxes[inboxKey(event.channel)]?.consumed ?? 0)

/** As many of the latest as fit, beginning with words of the person; never none. */
const latest = (entries: readonly Entry[]): readonly Entry[] => {
  let room = mostCharacters
  let first = entries.length
  for (let i = entries.length - 1; i >= 0; i--) {
    const event = entries[i]?.event
    room -= event ? weightOf(event, weightOfFile.past) : 0
    if (room < 0 && first < entries.length) break
    if (event?.type === 'MessageHeard' || room >= 0) first = i
  }
  const shown = entries.slice(first)
  const begin = first === 0 ? 0 : shown.findIndex(({ type }) => type === 'MessageHeard')
  return begin > 0 ? shown.slice(begin) : shown
}

/** What was perceived of a file, and the fact it stands in. */
export type Seen = EventOf<'MediaDescribed'> & { readonly seq: Seq }

/** What was perceived of the files that came with these messages; the first of several counts. */
export const readPerceived = async (journal: Journal, entries: readonly Entry[]): Promise<ReadonlyMap<Seq, Seen>> => {
  const perceived = new Map<Seq, Seen>()
  const first = entries.find(({ event }) => event.type === 'MessageHeard' && event.media)?.seq
  if (first === undefined) return perceived
  for await (const { seq, event } of journal.read({ kind: 'media', after: first }))
    if (event.type === 'MediaDescribed' && !perceived.has(event.message)) perceived.set(event.message, { ...event, seq })
  return perceived
}

export const readProgress = async (journal: Journal, turn: Seq): Promise<Progress> => {
  const steps: { seq: Seq; step: number; answer: Answer; results: Stepped['results'][number][] }[] = []
  const began = new Set<string>()
  let spoke = false
  for await (const { seq, event } of journal.read({ after: turn })) {
    if (!('turn' in event) || event.turn !== turn) continue
    if (event.type === 'ModelAnswered' && event.cause === 'turn' && event.step !== null)
      steps.push({ seq, step: event.step, answer: await answerOf(journal, event.answer), results: [] })
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

/** A long answer lies beside the journal; one that is lost there counts as silence. */
const answerOf = async (journal: Journal, answer: EventOf<'ModelAnswered'>['answer']): Promise<Answer> => {
  if (answer && !('part' in answer)) return answer
  const bytes = answer && (await journal.part(answer.part))
  return bytes ? Answer.parse(JSON.parse(Buffer.from(bytes).toString())) : { text: '', calls: [] }
}
