/** Facts about the conversation: messages, turns, and the model and tool calls in them. */
import * as z from 'zod'
import { keepPayload, type Payload, type Upcast } from '../journal/log/vocabulary.ts'
import { fact, ordinaryTraits } from './fact.ts'
import {
  Answer,
  AnswerMode,
  AskedCall,
  CallCause,
  Channel,
  Country,
  Failed,
  HeardMedia,
  HiddenReason,
  Media,
  MessagePart,
  Organ,
  Outcome,
  PageSource,
  PromptProfile,
  Seq,
  SeqBefore,
  Sha256,
  Slot,
  Stimuli,
  Used,
} from './fact-values.ts'

const talkTraits = { ...ordinaryTraits, state: ['talk'] } as const
const message = { ...talkTraits, index: 'talk', search: 'said', outside: 'nothing' } as const
const turn = { turn: { to: 'turn' } } as const
const call = { ...talkTraits, index: 'calls', background: true } as const

/** Older files used the file name as the original name, and had no checksum. */
const withFile: Upcast = (payload) => {
  const media = payload.media as Payload | null
  return {
    ...payload,
    media: media && { ...media, name: media.filename, voice: false, bytes: null, sha256: null },
  }
}

/**
 * Older messages did not record their source: it was the user, or a program if there is no channel. Quotation
 * marks and fences in them stay plain text.
 */
const withParts: Upcast = ({ content, ...older }) => {
  const media = older.media as Payload | null
  const from = older.channel === null ? 'program' : 'person'
  const parts = content === '' ? [] : [{ from, by: null, text: content }]
  return { ...older, parts, media: media && { ...media, from: 'person', by: null } }
}

const withoutQuestion: Upcast = (payload) => ({ ...payload, asks: null })

const withCosts: Upcast = ({ usage, ...older }) => ({
  ...older,
  usage: { ...(usage as Payload), cached: null, made: null },
  calls: 1,
  price: null,
})

/** Of a call, the request, the answer and the data for the next step may be stored beside the journal. */
const partsOfCall = ({ recipe, answer, opaque }: CallParts): readonly string[] => {
  const requestParts = (recipe?.parts ?? []).filter((part) => typeof part === 'string')
  const answerParts = answer && 'part' in answer ? [answer.part] : []
  return [...requestParts, ...(opaque ? [opaque] : []), ...answerParts]
}

interface CallParts {
  readonly recipe?: Used['recipe']
  readonly answer?: Answer | { readonly part: Sha256 } | null
  readonly opaque?: Sha256 | null | undefined
}

export const talkFacts = {
  /**
   * A message to the persona. `parts`: the whole text, in order. `key` is the dedupe key: a second message
   * with it is the same message.
   */
  MessageHeard: fact(
    {
      channel: Channel.nullable(),
      parts: z.array(MessagePart).readonly(),
      media: HeardMedia.nullable(),
      key: z.string().nullable(),
    },
    {
      ...message,
      state: ['talk', 'days', 'initiative'],
      dedupeKey: ({ key }) => key,
      older: [withFile, withParts, keepPayload],
      blank: { parts: [], media: null },
    },
  ),
  /**
   * The user removed messages from the conversation, or other messages replaced them. They stay in the
   * journal, but neither prompts nor the page show them. `replaced`: another answer of the same messages is
   * shown; `edited`: the user wrote the message again.
   */
  MessagesHidden: fact(
    { messages: z.array(Seq).readonly(), reason: HiddenReason },
    { ...talkTraits, outside: ['messages', 'reason'], links: { messages: { to: 'about' } } },
  ),
  /** The messages are part of the conversation again. */
  MessagesShown: fact(
    { messages: z.array(Seq).readonly() },
    { ...talkTraits, outside: ['messages'], links: { messages: { to: 'about' } } },
  ),
  /**
   * The user asked for another answer of the last turn of a channel, or for the rest of its answer. The
   * messages after `after` wait again. `organ`: the model that answers instead of the Mind; absent if the
   * Mind does. Its key is a reference.
   */
  AnswerAsked: fact(
    {
      turn: Seq,
      mode: AnswerMode,
      channel: Channel.nullable(),
      after: SeqBefore,
      organ: Organ.optional(),
    },
    {
      ...talkTraits,
      missed: false,
      changes: ['keys'],
      outside: ['turn', 'mode', 'channel', 'after', 'organ'],
      links: { turn: { to: 'about' }, after: null },
      older: [keepPayload, keepPayload],
    },
  ),
  /**
   * A user opened an empty conversation: the persona speaks first. `language`: the language of the page, such
   * as `de`; absent if unknown.
   */
  GreetingAsked: fact(
    { language: z.string().optional() },
    { ...talkTraits, background: true, missed: false, outside: [] },
  ),
  /**
   * A turn's id is the position of its TurnBegan. A greeting consumes no message and no due plan. `window`:
   * position of the first fact of the talk that its prompt shows; absent in older journals. `known`: facts of
   * the statements that its last message shows, because the system prompt does not; absent if there are none.
   */
  TurnBegan: fact(
    {
      life: z.int(),
      channel: Channel.nullable(),
      stimuli: Stimuli,
      window: Seq.optional(),
      known: z.array(Seq).readonly().optional(),
    },
    {
      ...talkTraits,
      background: true,
      outside: ['life', 'channel', 'stimuli', 'window', 'known'],
      // The window is all that the prompt shows.
      links: { stimuli: { range: 'message' }, window: null, known: { to: 'memory' } },
      older: [keepPayload, keepPayload],
    },
  ),
  /**
   * A model answered. `turn` is null outside a turn; `step` is that of the Mind in a turn. An answer over 256
   * KiB is stored in a file, under the hash of its JSON. The answer is null if another fact holds it or it
   * must not be stored. `opaque`: hash of stored data that the model needs in the next step; absent if there
   * is none. `borrowed`: third-party words in its text and tool calls, which the user did not say; absent if
   * there are none. `profile`: that of the request; absent if it was full.
   */
  ModelAnswered: fact(
    {
      turn: Seq.nullable(),
      step: z.int().nullable(),
      ...Used.shape,
      answer: z.union([Answer, z.strictObject({ part: Sha256 })]).nullable(),
      opaque: Sha256.nullable().optional(),
      borrowed: z.array(z.string()).readonly().optional(),
      profile: PromptProfile.optional(),
      cause: CallCause,
    },
    {
      ...call,
      outside: ['turn', 'step', 'organ', 'provider', 'model', 'usage', 'ms', 'calls', 'price', 'cause'],
      // The recipe repeats everything that the model saw, in each call.
      links: { ...turn, recipe: null },
      leads: true,
      parts: partsOfCall,
      older: [withCosts, ...Array.from({ length: 7 }, () => keepPayload)],
      blank: { answer: null, recipe: null, opaque: null, borrowed: [] },
    },
  ),
  /** A model call failed. */
  ModelFailed: fact(
    { turn: Seq.nullable(), step: z.int().nullable(), ...Failed.shape, cause: CallCause },
    {
      ...call,
      state: [],
      outside: ['turn', 'step', 'organ', 'provider', 'model', 'ms', 'calls', 'kind', 'reason', 'cause'],
      links: turn,
      leads: true,
      older: [keepPayload, keepPayload, keepPayload, keepPayload],
      blank: { reason: '' },
    },
  ),
  /**
   * A file of a message was perceived. `organ`: the organ that perceived it, `thinking` if the Mind received
   * the file itself, null if none could. `text`: the content or the reason of the failure, in the persona's
   * words.
   */
  MediaDescribed: fact(
    {
      turn: Seq,
      message: Seq,
      filename: z.string(),
      organ: Slot.nullable(),
      outcome: z.enum(['perceived', 'shown', 'refused']),
      text: z.string(),
    },
    {
      ...talkTraits,
      index: 'media',
      search: 'file',
      outside: ['turn', 'message', 'organ', 'outcome'],
      links: { message: { to: 'message' }, ...turn },
      counted: { as: 'files_perceived', by: ['outcome'] },
      blank: { text: '' },
    },
  ),
  /** A model called a tool. `of`: the server of the tool; absent for built-in tools. */
  ToolCalled: fact(
    {
      turn: Seq,
      step: z.int(),
      call: z.string(),
      name: z.string(),
      input: z.unknown(),
      of: z.strictObject({ server: z.string(), tool: z.string() }).nullable(),
    },
    {
      ...talkTraits,
      state: ['web'],
      outside: ['turn', 'step', 'call', 'name', 'of'],
      links: turn,
      blank: { input: null },
      older: [(payload) => ({ ...payload, of: null })],
    },
  ),
  /** A tool returned `output`. `ok`: false if it failed. */
  ToolAnswered: fact(
    { turn: Seq, step: z.int(), call: z.string(), name: z.string(), ok: z.boolean(), output: z.unknown() },
    {
      ...talkTraits,
      outside: ['turn', 'step', 'call', 'name', 'ok'],
      links: turn,
      counted: { as: 'tool_calls', by: ['ok'] },
      blank: { output: null },
    },
  ),
  /**
   * A message of the persona, or of the daemon in its place. `asks`: the call whose approval this message
   * requests. Such text comes from the daemon and belongs to no turn. `borrowed`: third-party text in it,
   * which the user did not say; absent if there is none. `notice`: the daemon wrote it about itself or a
   * model. It is not the persona's text, and no model sees it. `model`: the model that wrote it, if the user
   * asked another one than the Mind. `pages`: web pages that were read for it in this turn; absent if there
   * are none. `help`: it is a notice that names the help of this country to a user whose life may be in
   * danger; null if the country is unknown, absent for other messages. `initiative`: the id of the reason for
   * which the persona wrote by itself.
   */
  MessageSpoken: fact(
    {
      turn: Seq.nullable(),
      step: z.int().nullable(),
      channel: Channel.nullable(),
      content: z.string(),
      media: Media.nullable(),
      asks: AskedCall.nullable(),
      borrowed: z.array(z.string()).readonly().optional(),
      notice: z.literal(true).optional(),
      model: z.string().optional(),
      pages: z.array(PageSource).readonly().optional(),
      help: Country.nullable().optional(),
      initiative: z.string().optional(),
    },
    {
      ...message,
      state: ['talk', 'days', 'deliveries'],
      // The decision to write is before it in its commit.
      links: { ...turn, asks: null, initiative: null },
      older: [withFile, withoutQuestion, keepPayload, keepPayload, keepPayload, keepPayload, keepPayload],
      blank: { content: '', media: null, borrowed: [], pages: [] },
    },
  ),
  /** A turn ended. */
  TurnEnded: fact(
    { turn: Seq, outcome: Outcome, reason: z.string().nullable() },
    {
      ...talkTraits,
      background: true,
      outside: ['turn', 'outcome', 'reason'],
      links: turn,
      counted: { as: 'turns', by: ['outcome'] },
      blank: { reason: null },
    },
  ),
}
