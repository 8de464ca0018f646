/** Another answer, the rest of an answer, and editing, deleting and restoring messages. */
import type { AnswerMode, Channel, PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { findContinuedTurns, findFirstTurn } from '../../projections/continued-turns.ts'
import type { Statement } from '../../projections/knowledge.ts'
import { isByDaemon } from '../../projections/message-parts.ts'
import { listValues } from '../../projections/persistent-map.ts'
import { inboxKey } from '../../projections/talk.ts'
import type { Reading } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { LastExchange } from '../persona/rules/talk.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed, requireRunning } from './lifecycle.ts'
import { readOrgan, selectOrgans, withKeys } from './organ-request.ts'

type MessageDeps = Pick<CommandDeps, 'agents' | 'personas'>
type OtherModelDeps = MessageDeps & Pick<CommandDeps, 'config' | 'log'>

/** Throws Refused: not_active, turn_unknown, not_last_exchange, answer_pending, nothing_to_continue. */
export const askAnswer = async (
  { agents, personas }: MessageDeps,
  id: PersonaId,
  turn: Seq,
  mode: AnswerMode,
): Promise<void> => {
  await requireRunning(agents, id)
  const exchange = await personas.read(id, (reading) => readExchange(reading, turn))
  await personas.execute(id, { type: 'AskAnswer', turn, mode, exchange }, 'person')
}

/**
 * `organ`: as in an update. Its key is stored until the answer is there. Throws Refused: as `askAnswer`,
 * `readOrgan` and `selectOrgans`.
 */
export const askOtherModel = async (
  deps: OtherModelDeps,
  id: PersonaId,
  turn: Seq,
  organ: unknown,
): Promise<void> => {
  const { agents, config, personas } = deps
  await requireRunning(agents, id)
  const { self } = requireListed(personas, id)
  const wish = readOrgan('thinking', organ)
  const exchange = await personas.read(id, (reading) => readExchange(reading, turn))
  const requestedOrgans = await selectOrgans(personas, self, { thinking: wish }, config.urls)
  await withKeys(deps, id, requestedOrgans, ({ thinking }) =>
    personas.execute(
      id,
      { type: 'AskAnswer', turn, mode: 'again', exchange, ...(thinking && { organ: thinking }) },
      'person',
    ),
  )
}

/** Throws Refused: persona_unknown, not_last_exchange, answer_pending. */
export const chooseAnswer = async (
  { personas }: Pick<MessageDeps, 'personas'>,
  id: PersonaId,
  turn: Seq,
): Promise<void> => {
  requireListed(personas, id)
  const exchange = await personas.read(id, (reading) => readExchange(reading, turn))
  await personas.execute(id, { type: 'ChooseAnswer', turn, exchange }, 'person')
}

/**
 * Returns the statements that are based only on the old text. Throws Refused: not_active, message_unknown,
 * message_empty, message_has_file, not_last_exchange, answer_pending.
 */
export const editMessage = async (
  { agents, personas }: MessageDeps,
  id: PersonaId,
  message: Seq,
  content: string,
): Promise<{ readonly message: Seq; readonly learned: readonly Statement[] }> => {
  await requireRunning(agents, id)
  const exchange = await personas.read(id, async (reading) => {
    const { event } = await readMessage(reading, message)
    const isHidden = reading.persona.talk.hidden[message] !== undefined
    if (isHidden || event.type !== 'MessageHeard' || event.channel === null)
      throw new Refused({ code: 'message_unknown' })
    // What the Ear understood of a recording can be corrected.
    if (event.media && !event.media.voice) throw new Refused({ code: 'message_has_file' })
    return readExchange(reading, await findTurn(reading, message, event.channel))
  })
  const command = { type: 'EditMessage', message, content, exchange } as const
  const { entries, persona } = await personas.execute(id, command, 'person')
  const learned = listValues(persona.knowledge.statements).filter(
    ({ sources }) => sources.length > 0 && sources.every((source) => source === message),
  )
  return { message: entries.at(-1)?.seq ?? message, learned }
}

/**
 * Does nothing if it is hidden or shown already. Throws Refused: persona_unknown, message_unknown,
 * answer_pending.
 */
export const hideMessage = async (
  { personas }: Pick<MessageDeps, 'personas'>,
  id: PersonaId,
  message: Seq,
  hidden: boolean,
): Promise<void> => {
  requireListed(personas, id)
  const { event } = await personas.read(id, (reading) => readMessage(reading, message))
  const of = event.type === 'MessageHeard' ? { inbox: event.channel } : { turn: event.turn }
  await personas.execute(id, { type: 'HideMessage', message, of, hidden }, 'person')
}

type Message = Entry & { readonly event: Extract<Entry['event'], { type: 'MessageHeard' | 'MessageSpoken' }> }

const readMessage = async ({ journal }: Reading, seq: Seq): Promise<Message> => {
  const entry = await entryAt(journal, seq)
  if (!entry || entry.erased) throw new Refused({ code: 'message_unknown' })
  const { event } = entry
  if (event.type !== 'MessageHeard' && event.type !== 'MessageSpoken')
    throw new Refused({ code: 'message_unknown' })
  return { ...entry, event }
}

/** Returns the turn that took a message. */
const findTurn = async ({ journal }: Reading, message: Seq, channel: Channel): Promise<Seq> => {
  for await (const entry of journal.read({ after: message })) {
    // Checked first, so that other facts are not decoded.
    if (entry.type !== 'TurnBegan' || entry.event.type !== 'TurnBegan') continue
    const { channel: turnChannel, stimuli } = entry.event
    if (isSameChannel(turnChannel, channel) && stimuli.upTo >= message) return entry.seq
  }
  // It still waits.
  throw new Refused({ code: 'answer_pending' })
}

/** Reads the exchange of a turn. Only the last one of its channel can be changed. */
const readExchange = async (reading: Reading, turn: Seq): Promise<LastExchange> => {
  const { journal, persona } = reading
  const event = (await entryAt(journal, turn))?.event
  if (event?.type !== 'TurnBegan') throw new Refused({ code: 'turn_unknown' })
  const { channel, stimuli } = event
  const { after, upTo } = stimuli
  const isLast = persona.talk.inboxes[inboxKey(channel)]?.consumed === upTo && upTo > after
  if (!isLast) {
    const isPending = persona.talk.turn?.id === turn
    throw new Refused({ code: isPending ? 'answer_pending' : 'not_last_exchange' })
  }
  const turns = new Set<Seq>()
  const continuedTurns = await findContinuedTurns(journal.read({ after: upTo }))
  const spokenMessages: LastExchange['spoken'][number][] = []
  for await (const entry of journal.read({ after: upTo })) {
    if (entry.type !== 'TurnBegan' && entry.type !== 'MessageSpoken') continue
    const { seq, event: fact } = entry
    const isOfExchange = fact.type === 'TurnBegan' && isSameChannel(fact.channel, channel)
    if (isOfExchange && fact.stimuli.after === after) turns.add(seq)
    if (fact.type !== 'MessageSpoken' || fact.turn === null || !turns.has(fact.turn)) continue
    if (fact.media === null && !isByDaemon(fact))
      spokenMessages.push({ seq, turn: fact.turn, answer: findFirstTurn(continuedTurns, fact.turn) })
  }
  return { channel, after, upTo, spoken: spokenMessages }
}

const isSameChannel = (one: Channel | null, other: Channel | null): boolean =>
  inboxKey(one) === inboxKey(other)
