/** What was heard, thought, done and said: messages, turns, and the calls of models and tools in them. */
import * as z from 'zod'
import { fact, type Payload, type Upcast, unchanged } from './fact.ts'
import {
  Answer,
  AskedCall,
  CallCause,
  Channel,
  Failed,
  HeardMedia,
  Media,
  MessagePart,
  Outcome,
  Seq,
  Sha256,
  Slot,
  Stimuli,
  Used,
} from './fact-values.ts'

const lived = {
  index: null,
  search: null,
  state: ['talk'],
  background: false,
  missed: true,
  changes: [],
  wish: 'none',
  blank: null,
} as const
const message = { ...lived, index: 'talk', search: 'said', outside: 'nothing' } as const
const call = { ...lived, index: 'calls', background: true } as const

/** A file of before has its own name for the one it came with, and nothing that vouches for it. */
const withFile: Upcast = (older) => {
  const media = older.media as Payload | null
  return {
    ...older,
    media: media && { ...media, name: media.filename, voice: false, bytes: null, sha256: null },
  }
}

/**
 * Whose words they were was not told apart: the person's, or those of a program where there is no channel.
 * Marks in them stay words.
 */
const withParts: Upcast = ({ content, ...older }) => {
  const media = older.media as Payload | null
  const from = older.channel === null ? 'program' : 'person'
  const parts = content === '' ? [] : [{ from, by: null, text: content }]
  return { ...older, parts, media: media && { ...media, from: 'person', by: null } }
}

const withoutQuestion: Upcast = (older) => ({ ...older, asks: null })

const withCosts: Upcast = ({ usage, ...older }) => ({
  ...{ ...older, usage: { ...(usage as Payload), cached: null, made: null } },
  ...{ calls: 1, price: null },
})

export const talkFacts = {
  /**
   * `parts`: all that was written, in its order. `key` is the dedupe key: a second message with it is the
   * same message.
   */
  MessageHeard: fact(
    {
      channel: Channel.nullable(),
      parts: z.array(MessagePart).readonly(),
      media: HeardMedia.nullable(),
      key: z.string().nullable(),
    },
    {
      ...{ ...message, state: ['talk', 'days'], older: [withFile, withParts] },
      blank: { parts: [], media: null },
    },
  ),
  /** Somebody opened a talk in which nothing was ever said: the persona is to speak first. */
  GreetingAsked: fact({}, { ...lived, background: true, missed: false, outside: [] }),
  /** A turn's id is the position of its TurnBegan. A greeting takes no message and nothing that fell due. */
  TurnBegan: fact(
    { life: z.int(), channel: Channel.nullable(), stimuli: Stimuli },
    { ...lived, background: true, outside: ['life', 'channel', 'stimuli'] },
  ),
  /**
   * `turn` is null outside a turn; `step` for the Mind in one. An answer over 256 KiB lies beside the
   * journal, under the hash of its JSON; it is null where another fact holds it, or nobody shall keep it.
   * `opaque`: hash of data beside the journal that the model wants back in the next step.
   * Absent if there are none.
   */
  ModelAnswered: fact(
    {
      turn: Seq.nullable(),
      step: z.int().nullable(),
      ...Used.shape,
      answer: z.union([Answer, z.strictObject({ part: Sha256 })]).nullable(),
      opaque: Sha256.nullable().optional(),
      cause: CallCause,
    },
    {
      ...call,
      outside: ['turn', 'step', 'organ', 'provider', 'model', 'usage', 'ms', 'calls', 'price', 'cause'],
      older: [withCosts, unchanged, unchanged, unchanged],
      blank: { answer: null, recipe: null, opaque: null },
    },
  ),
  ModelFailed: fact(
    { turn: Seq.nullable(), step: z.int().nullable(), ...Failed.shape, cause: CallCause },
    {
      ...call,
      state: [],
      outside: ['turn', 'step', 'organ', 'provider', 'model', 'ms', 'calls', 'kind', 'reason', 'cause'],
      older: [unchanged, unchanged],
      blank: { reason: '' },
    },
  ),
  /**
   * A file that came with a message, perceived. `organ`: whoever perceived it, `thinking` where the Mind was
   * shown the file itself, null where none could. `text` is what was seen, heard or read, or why it was not,
   * in the persona's words.
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
      ...{ ...lived, index: 'media', search: 'file', outside: ['turn', 'message', 'organ', 'outcome'] },
      counted: { as: 'files_perceived', by: ['outcome'] },
      blank: { text: '' },
    },
  ),
  /** `of`: whose tool it is, where it is one of a server. */
  ToolCalled: fact(
    {
      ...{ turn: Seq, step: z.int(), call: z.string(), name: z.string(), input: z.unknown() },
      of: z.strictObject({ server: z.string(), tool: z.string() }).nullable(),
    },
    {
      ...{ ...lived, state: [], outside: ['turn', 'step', 'call', 'name', 'of'] },
      ...{ blank: { input: null }, older: [(older) => ({ ...older, of: null })] },
    },
  ),
  ToolAnswered: fact(
    { turn: Seq, step: z.int(), call: z.string(), name: z.string(), ok: z.boolean(), output: z.unknown() },
    {
      ...{ ...lived, outside: ['turn', 'step', 'call', 'name', 'ok'] },
      counted: { as: 'tool_calls', by: ['ok'] },
      blank: { output: null },
    },
  ),
  /**
   * `asks`: the call that the person is asked about by these words, which are the daemon's: they belong to no
   * turn. `borrowed`: words of others in it that the user did not say; absent if there are none.
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
    },
    {
      ...{ ...message, state: ['talk', 'days', 'deliveries'], older: [withFile, withoutQuestion, unchanged] },
      blank: { content: '', media: null, borrowed: [] },
    },
  ),
  TurnEnded: fact(
    { turn: Seq, outcome: Outcome, reason: z.string().nullable() },
    {
      ...{ ...lived, background: true, outside: ['turn', 'outcome', 'reason'] },
      counted: { as: 'turns', by: ['outcome'] },
      blank: { reason: null },
    },
  ),
}
