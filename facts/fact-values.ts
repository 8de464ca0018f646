/** Schemas of the values that facts contain. */
import * as z from 'zod'
import { slotNames } from './organ-table.ts'

/** Position in a persona's journal. Starts at 1, without gaps. */
export type Seq = number
export const Seq = z.int().min(1)

/** Position before a range: the facts after it, from the first one if it is 0. */
export const SeqBefore = z.int().min(0)

export type PersonaId = string

/** ISO 3166-1 alpha-2. */
export const Country = z.string().regex(/^[A-Z]{2}$/)

export const Status = z.enum(['active', 'hibernate', 'sick'])
export type Status = z.infer<typeof Status>

export const Slot = z.enum(slotNames)
export type Slot = z.infer<typeof Slot>

/** Bit of each provider (9 to 15) in the per-minute records on disk. Never reuse a bit. */
export const providerBits = { anthropic: 9, openai: 10, xai: 11, gemini: 12 } as const

export const Provider = z.enum(Object.keys(providerBits) as (keyof typeof providerBits)[])
export type Provider = z.infer<typeof Provider>

/** How much a request tells a Mind: small models confuse many tools and long instructions. */
export const PromptProfile = z.enum(['full', 'compact'])
export type PromptProfile = z.infer<typeof PromptProfile>

/**
 * `provider` is null for a local model, `url` null for the configured one. `key` names an entry of the
 * secrets file. `profile`: only of a Mind; absent if the daemon chooses it.
 */
export const Organ = z.strictObject({
  model: z.string(),
  provider: Provider.nullable(),
  url: z.string().nullable(),
  key: z.string().nullable(),
  profile: PromptProfile.optional(),
})
export type Organ = z.infer<typeof Organ>

/** A platform on which users talk to a persona through a bot, or an account of its own. */
export const ChannelKind = z.enum(['telegram', 'discord', 'matrix'])
export type ChannelKind = z.infer<typeof ChannelKind>

/** A service that searches the web. */
export const SearchProvider = z.enum(['wikipedia', 'searxng', 'brave', 'tavily', 'exa', 'ollama'])
export type SearchProvider = z.infer<typeof SearchProvider>

/** A web page that an answer is based on. `at`: when it was read, epoch ms. */
export const PageSource = z.strictObject({ title: z.string(), url: z.string(), at: z.int() })
export type PageSource = z.infer<typeof PageSource>

/**
 * A search provider that the user set up. Null means the usual value: the address and the key of the
 * environment, and the provider's own limit. `key` names an entry of the secrets file. `dailyLimit`: max
 * searches per day.
 */
export const SearchSetting = z.strictObject({
  provider: SearchProvider,
  url: z.string().nullable(),
  key: z.string().nullable(),
  dailyLimit: z.int().min(0).nullable(),
})
export type SearchSetting = z.infer<typeof SearchSetting>

/** `topic`: id of a topic inside the chat, if the platform has topics. */
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
 * A file of a persona. `filename` is the daemon's name for it, `name` the original one. `mime` is detected
 * from the content. `voice` marks recorded speech. `bytes` and `sha256` detect changes on disk.
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

/** A file of a skill. `path` is relative to the skill's folder. */
export const SkillFile = z.strictObject({ path: z.string(), bytes: z.int() })
export type SkillFile = z.infer<typeof SkillFile>

/** A file whose checksum is always known: a portrait, or all files of a skill in one archive. */
export const StoredMedia = Media.extend({ bytes: z.int(), sha256: Sha256 })
export type StoredMedia = z.infer<typeof StoredMedia>

/** The user chose the file, it is the picture of a character card, or the persona drew it. */
export const PortraitSource = z.enum(['file', 'card', 'drawing'])
export type PortraitSource = z.infer<typeof PortraitSource>

/**
 * Source of a part of a message. `person`: the user, in this message. `persona`: an earlier text of the
 * persona, which the user answers. `daemon`: a remark of the daemon. All others are third-party text that
 * came with the message. `program`: sent by a program. `forwarded`: a forwarded message. `quoted`: lines
 * marked as a quotation. `replied`: the message that is answered. `embedded`: a link preview or a bot's
 * insertion. `shared`: a contact, a location or a poll. `pasted`: the content of a code fence.
 */
export const WordsFrom = z.enum([
  ...(['person', 'persona', 'daemon', 'program'] as const),
  ...(['forwarded', 'quoted', 'replied', 'embedded', 'shared', 'pasted'] as const),
])
export type WordsFrom = z.infer<typeof WordsFrom>

/**
 * Source of third-party text in a stored statement: a kind of message part, a file, a web page, a tool, a
 * skill, the Teacher, an imported chat with another AI (`history`), or `talk` if the persona repeated it in
 * its own conversation. `by`: the author, or the name of the file, page, tool, skill or program, if known.
 */
export const Via = z.strictObject({
  from: z.enum([
    ...(['program', 'forwarded', 'quoted', 'replied', 'embedded', 'shared', 'pasted'] as const),
    ...(['file', 'page', 'tool', 'skill', 'teacher', 'history', 'talk'] as const),
  ]),
  by: z.string().nullable(),
})
export type Via = z.infer<typeof Via>

/** `by`: the author's name, null if unknown. */
const source = { from: WordsFrom, by: z.string().nullable() }
export const MessagePart = z.strictObject({ ...source, text: z.string() })
export type MessagePart = z.infer<typeof MessagePart>

/**
 * A file that came with a message, and its source: a forwarded voice message does not come from the user.
 * `charset`: the encoding of a text, if the client named it and the bytes do not contradict it.
 */
export const HeardMedia = Media.extend({ ...source, charset: z.string().optional() })
export type HeardMedia = z.infer<typeof HeardMedia>

/** Input of a turn: the messages of its channel with `after < seq <= upTo`, and the plans that fell due. */
export const Stimuli = z.strictObject({
  after: SeqBefore,
  upTo: SeqBefore,
  due: z.array(z.string()),
})
export type Stimuli = z.infer<typeof Stimuli>

const Call = z.strictObject({ id: z.string(), name: z.string(), input: z.unknown() })
export type Call = z.infer<typeof Call>

export const Answer = z.strictObject({ text: z.string(), calls: z.array(Call) })
export type Answer = z.infer<typeof Answer>

/**
 * A model call as it was sent. Each part is the position of a fact (its text) or the hash of separately
 * stored bytes. `sent` is the hash of the whole request.
 */
const Recipe = z.strictObject({ parts: z.array(z.union([Seq, Sha256])), sent: Sha256 })
export type Recipe = z.infer<typeof Recipe>

/**
 * Tokens; null if the provider does not report them. `cached`: input tokens that were read from the
 * provider's cache. `written`: those that were written to it; absent if there are none. `made`: output that
 * is not charged by tokens.
 */
export const Usage = z.strictObject({
  input: z.int().nullable(),
  output: z.int().nullable(),
  cached: z.int().nullable(),
  written: z.int().optional(),
  made: z.strictObject({ unit: z.enum(['image', 'character', 'second']), count: z.number() }).nullable(),
})
export type Usage = z.infer<typeof Usage>

/** US dollars at the time of the call. `dated`: the date of the price list. */
export const Price = z.strictObject({ usd: z.number(), dated: z.string() })
export type Price = z.infer<typeof Price>

/**
 * Reason for a model call: a step of a turn, perceiving a file, a tool, a client of the OpenAI-compatible
 * API, consolidation, an imported history, the decision whether to write by itself, or reading a mail.
 */
export const CallCause = z.enum([
  'turn',
  'perception',
  'tool',
  'api',
  'consolidation',
  'history',
  'initiative',
  'mail',
])
export type CallCause = z.infer<typeof CallCause>

/**
 * `calls`: number of attempts until the model answered. `ms`: duration of the successful one. The ledger sums
 * these values.
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

/** The model did not answer after `calls` attempts. Their cost is unknown. */
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

/** `answered`, `refused` and `hushed` consume the input of the turn; `unreachable` puts it back. */
export const Outcome = z.enum(['answered', 'refused', 'hushed', 'unreachable'])
export type Outcome = z.infer<typeof Outcome>

/** Why a message is not shown any more. */
export const HiddenReason = z.enum(['deleted', 'edited', 'replaced'])
export type HiddenReason = z.infer<typeof HiddenReason>

/** Another answer, or the rest of the last one. */
export const AnswerMode = z.enum(['again', 'continue'])
export type AnswerMode = z.infer<typeof AnswerMode>

/** `self`: short lines that the persona keeps about itself. All others are about the user, or from them. */
export const Document = z.enum([
  ...(['person', 'traits', 'persona-trait', 'wishes', 'struggles', 'permissions'] as const),
  'self',
])
export type Document = z.infer<typeof Document>

/** An entry of a lorebook. It is attached to a message of the user that contains one of its keys. */
export const LoreEntry = z.strictObject({ keys: z.array(z.string()).readonly(), text: z.string() })
export type LoreEntry = z.infer<typeof LoreEntry>

/**
 * Author of a statement: the persona in a turn, the user by hand, the persona in a consolidation, or the
 * persona when it read an imported history. The last one belongs to the `HistoryFed` before it.
 */
export const Origin = z.enum(['persona', 'person', 'consolidation', 'history'])
export type Origin = z.infer<typeof Origin>

export const Recurrence = z.enum(['hourly', 'daily', 'weekly', 'monthly', 'yearly'])
export type Recurrence = z.infer<typeof Recurrence>

/** How a calendar of others is read: a file in iCalendar format, or a calendar of a CalDAV server. */
export const CalendarKind = z.enum(['ics', 'caldav'])
export type CalendarKind = z.infer<typeof CalendarKind>

/** Encryption of the connection to a mail server. `none` is for servers on this machine. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.infer<typeof MailSecurity>

/**
 * Author of a commit. `life` and `turn` are set for an agent. `undoes`: position of the fact that is undone.
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
/** A part of a text. `secret`: entry of the secrets file. `clear`: text that the user declared not secret. */
export type SettingPiece = z.infer<typeof SettingPiece>

/** Plain text, an entry of the secrets file that holds it, or pieces to join. */
export const Setting = z.union([
  z.string(),
  z.strictObject({ secret: z.string() }),
  z.strictObject({ pieces: z.array(SettingPiece).readonly() }),
])
export type Setting = z.infer<typeof Setting>

const NamedSetting = z.strictObject({ name: z.string(), value: Setting })

/**
 * Location of a tool server: a program to start, or an address. `query`: the URL's query string. `oauth`: a
 * manually registered client; `port` is that of its loopback redirect. `tokens` names the entry of the
 * secrets file for OAuth tokens.
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
        client: z.string(),
        secret: Setting.nullable(),
        scope: z.string().nullable(),
        issuer: z.string().nullable(),
        port: z.int().nullable(),
      })
      .nullable(),
    tokens: z.string(),
  }),
])
export type ToolServer = z.infer<typeof ToolServer>

/** The user's permission for a tool: never, ask each time, or always. */
export const ToolMode = z.enum(['off', 'ask', 'allow'])
export type ToolMode = z.infer<typeof ToolMode>

/**
 * `once`: this call. `always`: this tool from now on. `expired`: no answer. `withdrawn`: the turn ended
 * first.
 */
export const Decided = z.enum(['once', 'always', 'no', 'expired', 'withdrawn'])
export type Decided = z.infer<typeof Decided>

/** A tool call for which a turn has asked the user's approval. */
export const AskedCall = z.strictObject({ turn: Seq, step: z.int(), call: z.string() })
export type AskedCall = z.infer<typeof AskedCall>

/** How often a persona may write by itself. */
export const InitiativeLevel = z.enum(['off', 'gentle', 'lively'])
export type InitiativeLevel = z.infer<typeof InitiativeLevel>

/**
 * Why a persona may write by itself: to ask how something went, for a date, for a promise of its own, for
 * something unfinished, or because the user wishes to hear of something each time.
 */
export const InitiativeKind = z.enum(['follow-up', 'date', 'promise', 'unfinished', 'wish'])
export type InitiativeKind = z.infer<typeof InitiativeKind>

/** A call of a tool of an API client. `arguments`: JSON, or the model's text if it is not JSON. */
export const ResponseCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() })
export type ResponseCall = z.infer<typeof ResponseCall>

/** An input item of a response. `call`: the id of the call. */
export const ResponseItem = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    text: z.string(),
  }),
  z.strictObject({ type: z.literal('call'), call: z.string(), name: z.string(), arguments: z.string() }),
  z.strictObject({ type: z.literal('result'), call: z.string(), output: z.string() }),
])
export type ResponseItem = z.infer<typeof ResponseItem>

const JsonSchema = z.record(z.string(), z.unknown())

/**
 * A request for a response. `format`: the form of a JSON answer, without a schema for any JSON object; null
 * for text. `remember`: the newest message and the answer become part of the conversation.
 */
export const ResponseRequest = z.strictObject({
  input: z.array(ResponseItem).readonly(),
  instructions: z.string().nullable(),
  tools: z
    .array(z.strictObject({ name: z.string(), description: z.string(), parameters: JsonSchema }))
    .readonly(),
  choice: z.union([z.enum(['auto', 'none', 'required']), z.strictObject({ name: z.string() })]),
  parallel: z.boolean(),
  format: z.strictObject({ name: z.string(), schema: JsonSchema.nullable() }).nullable(),
  maxTokens: z.int().nullable(),
  metadata: z.record(z.string(), z.string()),
  remember: z.boolean(),
})
export type ResponseRequest = z.infer<typeof ResponseRequest>
