/** GET /api/persona/{persona_id}/conversation, and the page of messages that other routes show. */
import * as z from 'zod'
import {
  Channel,
  HiddenReason,
  MessagePart,
  type PersonaId,
  Provider,
  type Seq,
} from '../../../facts/fact-values.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { findContinuedTurns } from '../../../projections/continued-turns.ts'
import {
  type ConversationMessage,
  type DeliveryView,
  getMind,
  toMessage,
  toMindChanges,
} from '../../../projections/conversation.ts'
import { isOwnVoice } from '../../../projections/message-parts.ts'
import { noticeCodes } from '../../../projections/notice-codes.ts'
import type { Self } from '../../../projections/self.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import type { PastState } from '../../persona/past.ts'
import { route } from '../route.ts'
import { MediaView } from './media.ts'

export const ConversationMessageShape: z.ZodType<ConversationMessage, ConversationMessage> = z
  .object({
    id: z.int(),
    role: z.enum(['person', 'assistant']),
    content: z.string(),
    parts: z
      .array(MessagePart)
      .readonly()
      .exactOptional()
      .describe('Sources of its text, if the user did not write everything.'),
    channel: Channel.nullable(),
    time: z.string(),
    turn: z.int().nullable(),
    step: z.int().nullable(),
    media: MediaView.nullable(),
    delivery: z
      .object({ state: z.enum(['waiting', 'sent', 'failed']), reason: z.string().nullable() })
      .nullable()
      .describe('Delivery of the message to its platform. Null if there was none.'),
    hidden: HiddenReason.exactOptional().describe(
      'Present only with `hidden=true`, if the message is not shown any more: the user deleted it, wrote it again, or chose another answer.',
    ),
    notice: z
      .literal(true)
      .exactOptional()
      .describe('Present if the daemon wrote the text, not the persona: a notice about a model or a file.'),
    help: z
      .string()
      .nullable()
      .exactOptional()
      .describe(
        'Present for a notice that names the help of a country to a user whose life may be in danger. Null: the country is unknown.',
      ),
    initiative: z
      .string()
      .exactOptional()
      .describe('Present for a message that the persona wrote by itself: the id of the reason.'),
    heard: z
      .string()
      .exactOptional()
      .describe('Present for a voice recording of the user: what the Ear understood.'),
    notice_code: z
      .enum(noticeCodes)
      .exactOptional()
      .describe('The kind of the notice, so that a client can show it in another language.'),
    notice_values: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('The values in the text of a notice with a code, such as `reason`.'),
    model: z
      .string()
      .exactOptional()
      .describe('Present if another model than the Mind wrote the answer, at the request of the user.'),
    mind: z
      .string()
      .exactOptional()
      .describe('Present with `minds=true` for an answer: the model that wrote it, if that is known.'),
    incomplete: z
      .enum(['stopped', 'cut'])
      .exactOptional()
      .describe(
        'Present if the answer does not end: the user stopped it, or it reached the limit of the model.',
      ),
    continues: z
      .int()
      .exactOptional()
      .describe(
        'Present if it is the rest of an answer, in the last exchange of the page: the continued turn.',
      ),
    sources: z
      .array(z.object({ title: z.string(), url: z.string(), host: z.string(), time: z.string() }))
      .readonly()
      .exactOptional()
      .describe('Present if web pages were read for the answer.'),
    asks: z
      .literal(true)
      .exactOptional()
      .describe('Present if it asks in a chat to approve a tool call, which `GET …/approvals` lists, too.'),
  })
  .meta({ id: 'ConversationMessage' })

const MindChange = z
  .object({
    id: z.int().describe('Position of the fact, for `POST …/undo`.'),
    time: z.string(),
    provider: Provider.nullable(),
    model: z.string(),
    undoable: z.boolean().describe('The last change. Undo brings the Mind before it back.'),
  })
  .meta({ id: 'MindChange' })

export const Conversation = z
  .object({
    messages: z.array(ConversationMessageShape).readonly(),
    has_more: z.boolean(),
    minds: z
      .array(MindChange)
      .readonly()
      .exactOptional()
      .describe('Present with `minds=true`: the last 20 changes of the Mind, oldest first.'),
  })
  .meta({ id: 'Conversation' })

export const getConversationRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/conversation',
  summary: 'The conversation, the oldest message first. Use `before` to page back through its whole life',
  description: 'A page of the messages of all channels, with files and delivery states.',
  tag: 'Talk',
  query: z.object({
    limit: z.int().min(1).max(1000).default(200),
    before: z.int().min(1).optional().describe('Only messages with a smaller id.'),
    hidden: z.boolean().default(false).describe('Include messages that are not shown any more.'),
    minds: z
      .boolean()
      .default(false)
      .describe('Include the changes of the Mind, and the model of each answer.'),
  }),
  reply: Conversation,
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id }, query: { limit, before, hidden, minds } }) => {
      requireListed(personas, id)
      const upTo = before === undefined ? {} : { upTo: before - 1 }
      if (before === 1) return { messages: [], has_more: false }
      return personas.read(id, async (reading) => {
        const page = await conversationPage(id, reading, { limit, ...upTo, withHidden: hidden })
        return minds ? withMinds(page, reading.persona.self) : page
      })
    },
})

const withMinds = (
  { messages, has_more }: Awaited<ReturnType<typeof conversationPage>>,
  self: Pick<Self, 'minds'>,
): z.infer<typeof Conversation> => ({
  messages: messages.map((message) => {
    const mind = getMind(self, message)
    return mind === null ? message : { ...message, mind }
  }),
  has_more,
  minds: toMindChanges(self),
})

/** Returns the last `limit` messages up to a position, the oldest first. */
export const conversationPage = async (
  id: PersonaId,
  pastState: Pick<PastState, 'persona' | 'journal'>,
  {
    limit,
    upTo,
    withHidden = false,
  }: { readonly limit: number; readonly upTo?: Seq; readonly withHidden?: boolean },
) => {
  const { hidden } = pastState.persona.talk
  const entries: Entry[] = []
  const range = upTo === undefined ? {} : { upTo }
  // Reads one more than asked for to see if there are more.
  for await (const entry of pastState.journal.read({ kind: 'talk', last: limit + 1, ...range }))
    entries.push(entry)
  const shownEntries = entries.slice(-limit)
  const deliveries = await readDeliveries(pastState, shownEntries)
  const stoppedSeqs = await findStopped(pastState, shownEntries)
  const continuedTurns = await readContinuedTurns(pastState, shownEntries)
  const heardTexts = await readHeard(pastState, shownEntries)
  const messages = shownEntries.flatMap((entry) => {
    const reason = hidden[entry.seq]
    if (reason && !withHidden) return []
    const message = toMessage(id, entry, isoWithOffset(entry.at, entry.offset), deliveries.get(entry.seq))
    if (!message) return []
    const heardText = heardTexts.get(entry.seq)
    const continues = message.turn === null ? undefined : continuedTurns.get(message.turn)
    return {
      ...message,
      ...(heardText !== undefined && { heard: heardText }),
      ...(stoppedSeqs.has(entry.seq) && { incomplete: 'stopped' as const }),
      ...(continues !== undefined && { continues }),
      ...(reason && { hidden: reason }),
    }
  })
  return { messages, has_more: entries.length > limit }
}

/** Returns the answers that the user stopped: the end of the turn follows in the same commit. */
const findStopped = async (
  { journal }: Pick<PastState, 'journal'>,
  entries: readonly Entry[],
): Promise<ReadonlySet<Seq>> => {
  const stoppedSeqs = new Set<Seq>()
  for (const { seq, commit, event } of entries) {
    if (event.type !== 'MessageSpoken' || event.turn === null) continue
    const next = await entryAt(journal, seq + 1)
    const isStopped =
      next?.commit === commit && next.event.type === 'TurnEnded' && next.event.outcome === 'hushed'
    if (isStopped) stoppedSeqs.add(seq)
  }
  return stoppedSeqs
}

/** Returns what the Ear understood of each voice recording. */
const readHeard = async (
  { journal }: Pick<PastState, 'journal'>,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Seq, string>> => {
  const texts = new Map<Seq, string>()
  const clips = new Set(
    entries.flatMap(({ seq, event }) => (event.type === 'MessageHeard' && isOwnVoice(event) ? seq : [])),
  )
  const [first] = clips
  if (first === undefined) return texts
  for await (const { event } of journal.read({ kind: 'media', after: first })) {
    if (event.type !== 'MediaDescribed' || !clips.delete(event.message)) continue
    if (event.outcome === 'perceived') texts.set(event.message, event.text)
    if (clips.size === 0) break
  }
  return texts
}

/** Reads the turns since the last message of the user. Only these answers can still be changed. */
const readContinuedTurns = async (
  { journal }: Pick<PastState, 'journal'>,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Seq, Seq>> => {
  const question = entries.findLast(({ type }) => type === 'MessageHeard')
  const last = entries.at(-1)
  if (!question || !last || question === last) return new Map()
  return findContinuedTurns(journal.read({ after: question.seq, upTo: last.seq }))
}

/**
 * Returns the delivery states of those entries that are messages to a platform. Waiting messages are in the
 * persona's state. Delivered and failed ones are recorded in later facts. `entries` are sorted, the oldest
 * first.
 */
const readDeliveries = async (
  { persona, journal }: Pick<PastState, 'persona' | 'journal'>,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Seq, DeliveryView>> => {
  const states = new Map<Seq, DeliveryView>()
  const waitingSeqs = new Set(persona.deliveries.waiting.map(({ message }) => message))
  const unknownSeqs = new Set<Seq>()
  for (const { seq, event } of entries) {
    if (event.type !== 'MessageSpoken' || !event.channel || event.channel.type === 'web') continue
    if (waitingSeqs.has(seq)) states.set(seq, { state: 'waiting', reason: null })
    else unknownSeqs.add(seq)
  }
  const [first] = unknownSeqs
  if (first === undefined) return states
  for await (const { event } of journal.read({ kind: 'deliveries', after: first })) {
    if (event.type !== 'Delivered' && event.type !== 'DeliveryFailed') continue
    if (!unknownSeqs.delete(event.message)) continue
    states.set(
      event.message,
      event.type === 'Delivered'
        ? { state: 'sent', reason: null }
        : { state: 'failed', reason: event.reason },
    )
    if (unknownSeqs.size === 0) break
  }
  // Dropped without a fact: too many were waiting, or the persona was restored from a diary.
  for (const seq of unknownSeqs)
    states.set(seq, { state: 'failed', reason: 'It was dropped before it was sent.' })
  return states
}
