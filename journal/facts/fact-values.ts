/** What facts are made of. */
import * as z from 'zod'
import { slotNames } from './organ-table.ts'

/** Position in a persona's journal: dense, from 1. */
export type Seq = number
export const Seq = z.int().min(1)

export type PersonaId = string

export const Status = z.enum(['active', 'hibernate', 'sick'])
export type Status = z.infer<typeof Status>

export const Slot = z.enum(slotNames)
export type Slot = z.infer<typeof Slot>

/**
 * Each with the bit under which the minutes on disk keep it, from 9 to 15: one that was given is never given
 * again.
 */
export const providerBits = { anthropic: 9, openai: 10, xai: 11, gemini: 12 } as const

export const Provider = z.enum(Object.keys(providerBits) as (keyof typeof providerBits)[])
export type Provider = z.infer<typeof Provider>

/**
 * `provider` null is a local model; `url` null means the configured one; `key` names an entry of the secrets
 * file.
 */
export const Organ = z.strictObject({
  model: z.string(),
  provider: Provider.nullable(),
  url: z.string().nullable(),
  key: z.string().nullable(),
})
export type Organ = z.infer<typeof Organ>

/** A platform where a persona is spoken to through a bot. */
export const ChannelKind = z.enum(['telegram', 'discord'])
export type ChannelKind = z.infer<typeof ChannelKind>

/** `topic`: the id of a topic inside the chat, if the platform has topics. */
export const Channel = z.strictObject({
  type: z.enum(['web', ...ChannelKind.options]),
  name: z.string(),
  topic: z.string().optional(),
})
export type Channel = z.infer<typeof Channel>

/** SHA-256 as lower-case hex. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export type Sha256 = z.infer<typeof Sha256>

/**
 * A file of a persona's: `filename` is ours, `name` what it was called where it came from, `mime` by its
 * bytes. `voice`: a recording of somebody who speaks. `bytes` and `sha256` say whether it is still what it
 * was.
 */
export const Media = z.strictObject({
  filename: z.string(),
  name: z.string(),
  mime: z.string(),
  caption: z.string(),
  voice: z.boolean(),
  bytes: z.int().nullable(),
  sha256: Sha256.nullable(),
})
export type Media = z.infer<typeof Media>

/** A file of a skill, by its path in the folder. */
export const SkillFile = z.strictObject({ path: z.string(), bytes: z.int() })
export type SkillFile = z.infer<typeof SkillFile>

/** All files of a skill as one. */
export const SkillPack = Media.extend({ bytes: z.int(), sha256: Sha256 })
export type SkillPack = z.infer<typeof SkillPack>

/**
 * Whose words stand in a message. `person`: said by the person themselves, here and now. `persona`: its own
 * earlier words, which the person answers. `daemon`: a remark of the daemon's. All others are words of others
 * that came with the message: `program`: passed on by a program; `forwarded`; `quoted`: lines marked as a
 * quotation; `replied`: what is answered; `embedded`: a link preview, or what a bot put in; `shared`: a
 * contact, a place, a poll; `pasted`: what stands in a code fence.
 */
export const WordsFrom = z.enum([
  ...(['person', 'persona', 'daemon', 'program'] as const),
  ...(['forwarded', 'quoted', 'replied', 'embedded', 'shared', 'pasted'] as const),
])
export type WordsFrom = z.infer<typeof WordsFrom>

/**
 * Where words of others came from that stand in something the persona keeps: as in a message, from a file, a
 * page of the web, a tool, a skill, the Teacher, a talk with another AI, or `talk`: repeated in its own talk.
 * `by`: their author, or the name of the file, page, tool, skill or program, if known.
 */
export const Via = z.strictObject({
  from: z.enum([
    ...(['program', 'forwarded', 'quoted', 'replied', 'embedded', 'shared', 'pasted'] as const),
    ...(['file', 'page', 'tool', 'skill', 'teacher', 'history', 'talk'] as const),
  ]),
  by: z.string().nullable(),
})
export type Via = z.infer<typeof Via>

/** `by`: what whoever said it is called, where that is known. */
const whose = { from: WordsFrom, by: z.string().nullable() }
export const MessagePart = z.strictObject({ ...whose, text: z.string() })
export type MessagePart = z.infer<typeof MessagePart>

/**
 * A file that came with a message, and whose it is: a voice message that was forwarded is not the person
 * speaking. `charset`: the encoding of a text, if its sender named it and the bytes do not contradict it.
 */
export const HeardMedia = Media.extend({ ...whose, charset: z.string().optional() })
export type HeardMedia = z.infer<typeof HeardMedia>

/** What a turn took: the messages of its channel with `after < seq <= upTo`, and the plans that fell due. */
export const Stimuli = z.strictObject({
  after: z.int().min(0),
  upTo: z.int().min(0),
  due: z.array(z.string()),
})
export type Stimuli = z.infer<typeof Stimuli>

const Call = z.strictObject({ id: z.string(), name: z.string(), input: z.unknown() })
export type Call = z.infer<typeof Call>

export const Answer = z.strictObject({ text: z.string(), calls: z.array(Call) })
export type Answer = z.infer<typeof Answer>

/**
 * A model call as it was sent: each part a fact's position (its words) or the hash of bytes kept beside;
 * `sent` hashes the whole.
 */
const Recipe = z.strictObject({ parts: z.array(z.union([Seq, Sha256])), sent: Sha256 })
export type Recipe = z.infer<typeof Recipe>

/**
 * Tokens, null where the provider does not tell; `cached` of the input ones were read from its cache. `made`
 * counts what is not charged by tokens.
 */
export const Usage = z.strictObject({
  input: z.int().nullable(),
  output: z.int().nullable(),
  cached: z.int().nullable(),
  made: z.strictObject({ unit: z.enum(['image', 'character', 'second']), count: z.number() }).nullable(),
})
export type Usage = z.infer<typeof Usage>

/** US dollars by the price list of a date, at the time of the call. */
const Price = z.strictObject({ usd: z.number(), dated: z.string() })
export type Price = z.infer<typeof Price>

/**
 * What a model was asked for: a step of a turn, to perceive a file, by a tool, by a client of the
 * OpenAI-shaped API, to go over what was said, or over talk with others.
 */
export const CallCause = z.enum(['turn', 'perception', 'tool', 'api', 'consolidation', 'history'])
export type CallCause = z.infer<typeof CallCause>

/**
 * `calls`: how often it was called until it answered; `ms` of the call that did. The ledger is made of these.
 */
export const Used = z.strictObject({
  organ: Slot,
  provider: Provider.nullable(),
  model: z.string(),
  usage: Usage,
  ms: z.int(),
  calls: z.int(),
  price: Price.nullable(),
  recipe: Recipe.nullable(),
})
export type Used = z.infer<typeof Used>

/** A model did not answer, after so many calls: what they cost is not known. */
export const Failed = z.strictObject({
  organ: Slot,
  provider: Provider.nullable(),
  model: z.string(),
  ms: z.int(),
  calls: z.int(),
  kind: z.enum(['unreachable', 'barred', 'refused']),
  reason: z.string(),
})
export type Failed = z.infer<typeof Failed>

/** `answered`, `refused` and `hushed` consume what the turn took; `unreachable` puts it back. */
export const Outcome = z.enum(['answered', 'refused', 'hushed', 'unreachable'])
export type Outcome = z.infer<typeof Outcome>

export const Document = z.enum(['person', 'traits', 'persona-trait', 'wishes', 'struggles', 'permissions'])
export type Document = z.infer<typeof Document>

/**
 * Who made a statement: the persona in a turn, the person by hand, or the persona when it went over what was
 * said, or over what the person had talked about with others: that one comes from the `HistoryFed` before it.
 */
export const Origin = z.enum(['persona', 'person', 'consolidation', 'history'])
export type Origin = z.infer<typeof Origin>

export const Recurrence = z.enum(['hourly', 'daily', 'weekly', 'monthly', 'yearly'])
export type Recurrence = z.infer<typeof Recurrence>

/**
 * Who made a commit, and for an agent's the life and turn it was made in. `undoes`: the fact that it takes
 * back.
 */
export const Cause = z.strictObject({
  by: z.enum(['person', 'agent', 'host', 'clock']),
  life: z.int().optional(),
  turn: Seq.optional(),
  undoes: Seq.optional(),
})
export type Cause = z.infer<typeof Cause>

const SettingPiece = z.union([
  z.string(),
  z.strictObject({ secret: z.string() }),
  z.strictObject({ clear: z.string() }),
])
/** A part of a text. `secret`: the entry of the secrets file; `clear`: the user said that it is no secret. */
export type SettingPiece = z.infer<typeof SettingPiece>

/** A text as it stands, the entry of the secrets file that holds it, or pieces that make it up. */
export const Setting = z.union([
  z.string(),
  z.strictObject({ secret: z.string() }),
  z.strictObject({ pieces: z.array(SettingPiece).readonly() }),
])
export type Setting = z.infer<typeof Setting>

const NamedSetting = z.strictObject({ name: z.string(), value: Setting })

/**
 * Where a server of tools is: a program that is started, or an address. `query`: what stands behind the
 * question mark of it; `oauth`: a client that was registered by hand, `port` of its loopback redirect.
 * `tokens` names the entry of the secrets file that OAuth has for itself.
 */
export const ToolServer = z.discriminatedUnion('transport', [
  z.strictObject({
    transport: z.literal('stdio'),
    command: Setting,
    args: z.array(Setting).readonly(),
    cwd: z.string().nullable(),
    env: z.array(NamedSetting).readonly(),
  }),
  z.strictObject({
    transport: z.literal('http'),
    url: Setting,
    query: Setting.nullable(),
    headers: z.array(NamedSetting).readonly(),
    oauth: z
      .strictObject({
        ...{ client: z.string(), secret: Setting.nullable(), scope: z.string().nullable() },
        ...{ issuer: z.string().nullable(), port: z.int().nullable() },
      })
      .nullable(),
    tokens: z.string(),
  }),
])
export type ToolServer = z.infer<typeof ToolServer>

/** What the person lets a tool be used for: not at all, when they were asked, or as it comes. */
export const ToolMode = z.enum(['off', 'ask', 'allow'])
export type ToolMode = z.infer<typeof ToolMode>

/**
 * `once`: this call; `always`: this tool from now on; `expired`: nobody answered; `withdrawn`: the turn was
 * ended before.
 */
export const Decided = z.enum(['once', 'always', 'no', 'expired', 'withdrawn'])
export type Decided = z.infer<typeof Decided>

/** A call of a tool that a turn has asked its person about. */
export const AskedCall = z.strictObject({ turn: Seq, step: z.int(), call: z.string() })
export type AskedCall = z.infer<typeof AskedCall>
