/** Chooses the past turns that two models answer again in an audition. */
import type { Seq } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { getContent, isByDaemon } from '../../projections/message-parts.ts'
import { readTurnMessages } from '../mind/prompt/talk-items.ts'
import type { Reading } from '../persona/persona-store.ts'
import { keptAnswer } from '../persona/prune-calls.ts'

export const auditionSubjects = ['memory', 'tools', 'emotion', 'humour', 'talk'] as const
export type AuditionSubject = (typeof auditionSubjects)[number]

/** The two models of an audition. */
export const sides = ['current', 'candidate'] as const
export type Side = (typeof sides)[number]

export interface AuditionTurn {
  readonly turn: Seq
  /** Epoch ms and minutes of offset. */
  readonly at: number
  readonly offset: number
  readonly subject: AuditionSubject
  readonly heard: string
  /** The recorded answer. */
  readonly answered: string
  /** Position of its last message. */
  readonly end: Seq
}

/** Turns of one audition. */
export const maxAuditionTurns = 10
/** Turns and messages that are searched, from the end. */
const maxTurns = 60
const maxMessages = 600
/** Facts of a turn that are searched. */
const maxFacts = 200

/** Returns the last turns that can be answered again, oldest first. */
export const listAuditionTurns = async (reading: Reading): Promise<readonly AuditionTurn[]> => {
  const turns = new Set<Seq>()
  for await (const { event } of reading.journal.read({ kind: 'talk', last: maxMessages }))
    if (event.type === 'MessageSpoken' && event.turn !== null) turns.add(event.turn)
  const foundTurns: AuditionTurn[] = []
  const exchanges = new Set<Seq | 0>()
  for (const turn of [...turns].sort((a, b) => a - b).slice(-maxTurns)) {
    const read = await readAuditionTurn(reading, turn)
    // The rest of an answer belongs to the turn before it.
    if (!read || exchanges.has(read.after)) continue
    exchanges.add(read.after)
    foundTurns.push(read.found)
  }
  return foundTurns
}

/**
 * Returns null for a turn that cannot be answered again: without words of the user or an answer, with a file,
 * or with a message that is hidden or erased.
 */
export const readAuditionTurn = async (
  { journal, persona }: Reading,
  turn: Seq,
): Promise<{ readonly found: AuditionTurn; readonly after: Seq | 0 } | null> => {
  const beginEntry = await entryAt(journal, turn)
  if (beginEntry?.event.type !== 'TurnBegan' || persona.talk.turn?.id === turn) return null
  const { stimuli } = beginEntry.event
  const heardMessages = await readTurnMessages(journal, beginEntry.event)
  const { spokenMessages, tools } = await readAnswer(journal, turn)
  const messages = [...heardMessages, ...spokenMessages]
  const isGone = ({ seq, erased }: Entry) => erased === true || persona.talk.hidden[seq] !== undefined
  if (heardMessages.length === 0 || spokenMessages.length === 0 || messages.some(isGone)) return null
  if (heardMessages.some(({ event }) => event.type === 'MessageHeard' && event.media)) return null
  const [heardText, answerText] = [heardMessages, spokenMessages].map(toText)
  if (!heardText || !answerText) return null
  const subject = chooseSubject({ tools, text: `${heardText}\n${answerText}`, event: beginEntry.event })
  const end = messages.at(-1)?.seq ?? turn
  return {
    found: {
      turn,
      at: beginEntry.at,
      offset: beginEntry.offset,
      subject,
      heard: heardText,
      answered: answerText,
      end,
    },
    after: stimuli.after,
  }
}

const toText = (messages: readonly Entry[]): string =>
  messages
    .map(({ event }) =>
      event.type === 'MessageHeard' || event.type === 'MessageSpoken' ? getContent(event) : '',
    )
    .filter((text) => text !== '')
    .join('\n\n')

/** Returns the messages of the persona in a turn, and the names of the tools that it called. */
const readAnswer = async (journal: Reading['journal'], turn: Seq) => {
  const spokenMessages: Entry[] = []
  const tools: string[] = []
  let facts = 0
  for await (const entry of journal.read({ after: turn })) {
    if (entry.type === 'TurnBegan' || ++facts > maxFacts) break
    if (entry.type !== 'MessageSpoken' && entry.type !== 'ModelAnswered') continue
    const { event } = entry
    if (!('turn' in event) || event.turn !== turn) continue
    if (event.type === 'MessageSpoken' && !isByDaemon(event)) spokenMessages.push(entry)
    if (event.type === 'ModelAnswered' && event.cause === 'turn')
      tools.push(...((await keptAnswer(journal, event))?.calls ?? []).map(({ name }) => name))
  }
  return { spokenMessages, tools }
}

const memoryTools = ['remember', 'recall', 'forget']
const feelings =
  /\b(?:sad|happy|glad|afraid|scared|worried|lonely|angry|upset|sorry|cry|miss(?:ed|ing)?|love|hurts?|feel(?:s|ing)?|thank(?:s| you)|traurig|glücklich|angst|einsam|wütend|sorge\w*|weine\w*|vermiss\w*|liebe|fühl\w*|tut mir leid|danke)\b|[😢😭😔😞🥺❤💔😡😨]/iu
const jokes =
  /\b(?:ha(?:ha)+|hehe\w*|lol|jok(?:e|ing)|funny|witz\w*|lustig\w*|scherz\w*)\b|\bspaß(?!\p{L})|[😂🤣😄😜😅]/iu

const chooseSubject = ({
  tools,
  text,
  event,
}: {
  readonly tools: readonly string[]
  readonly text: string
  readonly event: EventOf<'TurnBegan'>
}): AuditionSubject => {
  if (tools.some((name) => memoryTools.includes(name))) return 'memory'
  if (tools.length > 0) return 'tools'
  if (jokes.test(text)) return 'humour'
  if (feelings.test(text)) return 'emotion'
  return event.known && event.known.length > 0 ? 'memory' : 'talk'
}

/** Chooses turns of all subjects, the newest of each first. Returns them oldest first. */
export const pickAuditionTurns = (turns: readonly AuditionTurn[], count: number): readonly AuditionTurn[] => {
  const queues = auditionSubjects.map((subject) => turns.filter((turn) => turn.subject === subject))
  const pickedTurns: AuditionTurn[] = []
  while (pickedTurns.length < count && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const turn = queue.pop()
      if (turn && pickedTurns.length < count) pickedTurns.push(turn)
    }
  return pickedTurns.sort((a, b) => a.turn - b.turn)
}
