/** Shapes of the replies in the OpenAPI document. The compiler checks that they match the projections. */
import * as z from 'zod'
import {
  Channel,
  ChannelKind,
  Decided,
  Document,
  MessagePart,
  Outcome,
  Provider,
  Slot,
  Status,
  Via,
  WordsFrom,
} from '../../../journal/facts/fact-values.ts'
import { perOtherSlot } from '../../../journal/facts/organ-table.ts'
import type { ConversationMessage } from '../../../projections/conversation.ts'
import type { Memory as MemoryView } from '../../../projections/memories.ts'
import type { ChannelRecord, PersonaRecord } from '../../../projections/persona-record.ts'
import type { Proposed } from '../../../projections/proposals.ts'
import type { TurnView } from '../../../projections/turns.ts'
import type { Usage as UsageView } from '../../../projections/usage.ts'
import type { PersonaView } from '../../../projections/view.ts'
import type { Diagnosis as DiagnosisView } from '../../health/diagnosis.ts'
import type { OrganHealth } from '../../health/organ-health.ts'
import { places, signals } from '../../health/marks.ts'

export const Problem = z.object({ detail: z.string() }).meta({ id: 'Problem' })

const ValidationError = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
    input: z.unknown().optional(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationError' })

export const HTTPValidationError = z
  .object({ detail: z.array(ValidationError) })
  .meta({ id: 'HTTPValidationError' })

/** Clients of OpenAI's API read only `error`. */
export const V1Problem = z
  .object({
    detail: z.union([z.string(), z.array(ValidationError)]),
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: 'V1Problem' })

export const OrganView = z
  .object({ name: z.string(), provider: Provider.nullable(), url: z.string() })
  .meta({ id: 'OrganView' })

export const ChannelView = z
  .object({ type: Channel.shape.type, name: z.string(), verified: z.boolean() })
  .meta({ id: 'ChannelView' })

const PersonaViewShape: z.ZodType<PersonaView> = z
  .object({
    id: z.string(),
    name: z.string(),
    base_model: z.string(),
    birthday: z.string(),
    running: z.boolean(),
    status: Status,
    thinking: OrganView,
    ...perOtherSlot(() => OrganView.nullable()),
    channels: z.array(ChannelView).readonly(),
  })
  .meta({ id: 'PersonaView' })

export const PersonaList = z.object({ personas: z.array(PersonaViewShape) }).meta({ id: 'PersonaList' })

const OrganRecord = z
  .object({
    name: z.string(),
    provider: Provider.nullable(),
    url: z.string(),
    api_key: z.string().nullable(),
  })
  .meta({ id: 'OrganRecord' })

export const ChannelRecordShape: z.ZodType<ChannelRecord, ChannelRecord> = z
  .object({
    type: ChannelKind,
    name: z.string().describe('The paired chat. Before pairing, the user name of the bot.'),
    credentials: z.object({ token: z.string() }),
    verified_at: z.string().nullable(),
  })
  .meta({ id: 'ChannelRecord' })

export const PersonaRecordShape: z.ZodType<PersonaRecord, PersonaRecord> = z
  .object({
    id: z.string(),
    name: z.string(),
    thinking: OrganRecord.nullable(),
    version: z.string(),
    base_model: z.string(),
    birthday: z.string(),
    status: Status,
    idle_timeout: z.int(),
    ...perOtherSlot(() => OrganRecord.nullable()),
    channels: z.array(ChannelRecordShape).readonly(),
  })
  .meta({ id: 'PersonaRecord' })

export const MediaView = z
  .object({
    filename: z.string(),
    name: z.string(),
    mime: z.string(),
    url: z.string(),
    caption: z.string(),
    from: WordsFrom.exactOptional().describe('How the user got it, if it was forwarded from someone else.'),
    by: z.string().nullable().exactOptional(),
  })
  .meta({ id: 'MediaView' })

const ConversationMessageShape: z.ZodType<ConversationMessage, ConversationMessage> = z
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
  })
  .meta({ id: 'ConversationMessage' })

export const Conversation = z
  .object({ messages: z.array(ConversationMessageShape).readonly(), has_more: z.boolean() })
  .meta({ id: 'Conversation' })

export const Memory: z.ZodType<MemoryView, MemoryView> = z
  .object({
    id: z.string(),
    document: Document,
    text: z.string(),
    origin: z
      .enum(['persona', 'person', 'consolidation', 'history'])
      .describe(
        'Who made it: the persona in a turn or during consolidation, or the user, by hand or by accepting a proposal.',
      ),
    via: Via.nullable().describe(
      'Source of text in it that the user did not write. Null if the user wrote everything. A marked statement grants nothing.',
    ),
    sources: z
      .array(z.int())
      .readonly()
      .describe('Records of the journal that it comes from. Empty if it was written by hand.'),
    time: z.string(),
    forgotten: z.boolean(),
  })
  .meta({ id: 'Memory' })

const Proposal: z.ZodType<Proposed, Proposed> = z
  .object({
    id: z.string().describe('Becomes the id of the statement if it is accepted.'),
    document: Document,
    text: z.string(),
    by: z.string().nullable().describe('Name of the program that proposed it, if it gave one.'),
    time: z.string(),
  })
  .meta({ id: 'Proposal' })

export const Memories = z
  .object({
    memories: z.array(Memory).readonly(),
    proposed: z
      .array(Proposal)
      .readonly()
      .describe('Proposals of programs. The persona knows none of them until it is accepted.'),
  })
  .meta({ id: 'Memories' })

/** Everything that it said in one turn. */
export const Reply = z
  .object({
    id: z.int().describe('Position of its last message in the journal.'),
    content: z.string(),
    media: MediaView.nullable(),
    time: z.string(),
  })
  .meta({ id: 'Reply' })

const cause = z.enum(['turn', 'perception', 'tool', 'api', 'consolidation', 'history'])

const sum = {
  calls: z.int(),
  failed: z.int().describe('Calls without an answer. Their cost is unknown.'),
  tries: z.int().describe('Number of calls to a provider, with retries.'),
  input: z.int(),
  output: z.int(),
  cached: z.int().describe('Input tokens that a provider read from its cache.'),
  images: z.number(),
  characters: z.number(),
  seconds: z.number(),
  ms: z.int(),
  usd: z.number().nullable().describe('Null if no answer had a price.'),
  unpriced: z.int().describe('Answers without a price.'),
  dated: z.array(z.string()).readonly().describe('Dates of the price lists that were used.'),
}
const Sum = z.object(sum).meta({ id: 'Sum' })

export const UsageSums = z.object({
  total: Sum,
  organs: z.array(z.object({ organ: Slot, ...sum })).readonly(),
  models: z.array(z.object({ provider: Provider.nullable(), model: z.string(), ...sum })).readonly(),
  causes: z.array(z.object({ cause, ...sum })).readonly(),
  days: z.array(z.object({ day: z.string(), ...sum })).readonly(),
}) satisfies z.ZodType<UsageView>

export const Usage = UsageSums.extend({
  from: z.string().nullable(),
  to: z.string().nullable(),
  today: z
    .object({ tokens: z.int(), ceiling: z.int().nullable(), anew: z.string() })
    .describe('Tokens of the current day, independent of the requested range.'),
  prices: z
    .object({ dated: z.string(), own: z.boolean() })
    .describe('The price list for new calls. `own` is a file in the home.'),
}).meta({ id: 'Usage' })

const Output = z.object({ unit: z.enum(['image', 'character', 'second']), count: z.number() })
const tokens = z.int().nullable()

const call = {
  organ: Slot,
  provider: Provider.nullable(),
  model: z.string(),
  usage: z.object({ input: tokens, output: tokens, cached: tokens, made: Output.nullable() }).nullable(),
  ms: z.int(),
  tries: z.int(),
  usd: z.number().nullable(),
  dated: z.string().nullable(),
}

const ToolUse = z
  .object({
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    output: z.unknown(),
    ok: z.boolean().nullable(),
    server: z.string().nullable(),
    tool: z.string().nullable(),
    ms: z.int().nullable().describe('From the begin of the call to its result.'),
    allowed: z
      .enum([...Decided.options, 'waiting'])
      .nullable()
      .describe('For a tool of a server: the decision of the user. `always` if it was allowed before.'),
  })
  .meta({ id: 'ToolUse' })

export const Turn = z.object({
  id: z.int(),
  began: z.string(),
  ended: z.string().nullable(),
  outcome: Outcome.nullable(),
  reason: z.string().nullable(),
  life: z.int(),
  channel: Channel.nullable(),
  heard: z.array(ConversationMessageShape).readonly(),
  due: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(['reminder', 'schedule']).nullable(),
        content: z.string().nullable(),
      }),
    )
    .readonly(),
  perceptions: z
    .array(
      z.object({
        message: z.int(),
        filename: z.string(),
        organ: Slot.nullable(),
        outcome: z.enum(['perceived', 'shown', 'refused']),
        text: z.string(),
      }),
    )
    .readonly(),
  steps: z
    .array(
      z.object({
        step: z.int(),
        time: z.string(),
        text: z.string().nullable(),
        tools: z.array(ToolUse).readonly(),
        ...call,
      }),
    )
    .readonly(),
  calls: z
    .array(
      z.object({
        id: z.int(),
        time: z.string(),
        cause,
        step: z.int().nullable(),
        ...call,
        reason: z.string().nullable(),
      }),
    )
    .readonly()
    .describe('Calls outside the steps: for perception, by a tool, or without an answer.'),
  facts: z
    .array(
      z.object({
        id: z.int(),
        time: z.string(),
        title: z.string(),
        details: z.record(z.string(), z.unknown()).readonly(),
      }),
    )
    .readonly()
    .describe('Other facts of the turn in the form of frames: memories, plans and instructions.'),
  spoken: z.array(ConversationMessageShape).readonly(),
  files: z.array(MediaView).readonly().describe('Files that the persona made in the turn.'),
  total: Sum,
  complete: z.boolean().describe('False if it is too long to be shown whole.'),
}) satisfies z.ZodType<TurnView, TurnView>

const OrganHealthShape = z
  .object({
    model: z.string(),
    provider: Provider.nullable(),
    state: z.enum(['well', 'failing']),
    last_error: z
      .object({
        reason: z.string(),
        time: z.string().nullable(),
        kind: z.enum(['unreachable', 'barred', 'refused']).nullable(),
      })
      .nullable(),
    key_missing: z
      .literal(true)
      .exactOptional()
      .describe('Only if its saved key is missing and must be entered again.'),
    server_refuses: z
      .array(z.string())
      .readonly()
      .exactOptional()
      .describe(
        'Features that its server refused by name since the daemon started. They are no longer requested.',
      ),
  })
  .meta({ id: 'OrganHealth' }) satisfies z.ZodType<OrganHealth>

export const Diagnosis = z
  .object({
    status: Status,
    running: z.boolean(),
    reason: z.string().nullable().describe('Why it is not well or not awake. Null if no problem is known.'),
    version: z.string().describe('Version of the daemon.'),
    mind: z
      .object({
        messages: z
          .array(
            z.object({
              id: z.int(),
              role: z.enum(['person', 'assistant']),
              content: z.string(),
              time: z.string(),
            }),
          )
          .readonly()
          .describe(
            'Messages since the last consolidation, the oldest first. The last hundred, long ones cut.',
          ),
        archive: z
          .array(z.object({ time: z.string(), body: z.string() }))
          .readonly()
          .describe('The last thirty days that are over, the newest first.'),
        context: z.string().describe('The summary of everything before that it keeps in its context.'),
      })
      .readonly(),
    uptime: z
      .object({
        rows: z
          .array(
            z.object({
              from: z.string(),
              to: z.string(),
              cells: z
                .array(
                  z.object({
                    at: z.string(),
                    tick: z.boolean().describe('A tick ran in this minute.'),
                    fault: z.boolean(),
                    providers: z.array(z.enum(places)).readonly().describe('That failed.'),
                    signals: z.array(z.enum(signals)).readonly().describe('Signals in this minute.'),
                  }),
                )
                .readonly(),
            }),
          )
          .readonly(),
      })
      .describe(
        '24 rows of 60 minutes, the newest first in both directions, starting with the current minute. A row covers `from` to `to`, exclusive.',
      ),
    organs: z.partialRecord(Slot, OrganHealthShape).describe('The organs that it has.'),
    channels: z
      .array(
        z.object({
          type: ChannelKind,
          name: z.string(),
          verified: z.boolean(),
          state: z.enum(['well', 'failing']),
          reason: z.string().nullable().describe('Why it does not work.'),
          waiting: z.int().describe('Messages of the persona that are not delivered yet.'),
        }),
      )
      .readonly(),
    idle_timeout: z.int().describe('Seconds of silence before consolidation.'),
    diaries: z
      .object({
        kept: z.int(),
        older: z.int().describe('Number of diaries that only an older phrase opens.'),
        last: z.object({ time: z.string(), events: z.int(), bytes: z.int() }).nullable(),
      })
      .nullable()
      .describe('Diaries in the daemon. Null if the disk cannot be read.'),
    journal: z.object({
      events: z.int(),
      bytes: z.int().describe('Size on disk.'),
      bytes_per_1000_messages: z
        .int()
        .nullable()
        .describe('From the recent growth of the journal. Null if there were few messages.'),
      head: z.string().describe('Chain hash of the last record, hex.'),
      verified_at: z
        .string()
        .nullable()
        .describe('When the whole chain was last found intact. Null if unknown.'),
      durability: z
        .object({
          engine: z.literal('jetstream'),
          server: z.string().describe('Version of the server that the daemon is connected to.'),
          replicas: z.int().describe('Servers that store each commit. Most of them must acknowledge it.'),
          current: z.int().describe('Replicas that follow their leader now.'),
          differs: z
            .array(z.string())
            .readonly()
            .describe('Settings of the servers that differ from those the daemon asks for. Should be empty.'),
          age: z.number().describe('Seconds since the servers reported this.'),
        })
        .optional()
        .describe('Only in a cluster: how durable an acknowledged commit is.'),
    }),
    embeddings: z
      .object({
        model: z.string(),
        vectors: z.int(),
        tokens: z.int().describe('Tokens used, if the provider reports them.'),
        up_to: z.int().describe('Position in the journal up to which all searchable text is embedded.'),
        reason: z.string().nullable().describe('Why nothing is being embedded.'),
      })
      .optional()
      .describe('Only if DAIMON_EMBEDDINGS names a model.'),
  })
  .meta({ id: 'Diagnosis' }) satisfies z.ZodType<DiagnosisView & { readonly version: string }>
