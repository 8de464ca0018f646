/** The shapes of replies, for the description. That they are what the projections make, the compiler checks. */
import * as z from 'zod'
import { Channel, Provider, Status } from '../../journal/events.ts'
import type { ConversationMessage } from '../../projections/conversation.ts'
import type { PersonaRecord } from '../../projections/record.ts'
import type { PersonaView } from '../../projections/view.ts'

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

export const HTTPValidationError = z.object({ detail: z.array(ValidationError) }).meta({ id: 'HTTPValidationError' })

const OrganView = z.object({ name: z.string(), provider: Provider.nullable(), url: z.string() }).meta({ id: 'OrganView' })

const ChannelView = z
  .object({ type: z.enum(['telegram', 'discord', 'web']), name: z.string(), verified: z.boolean() })
  .meta({ id: 'ChannelView' })

const organs = <T extends z.ZodType>(organ: T) => ({
  imagination: organ,
  mouth: organ,
  eye: organ,
  ear: organ,
  teacher: organ,
  researcher: organ,
})

const PersonaViewShape: z.ZodType<PersonaView> = z
  .object({
    id: z.string(),
    name: z.string(),
    base_model: z.string(),
    birthday: z.string(),
    running: z.boolean(),
    status: Status,
    thinking: OrganView,
    ...organs(OrganView.nullable()),
    channels: z.array(ChannelView).readonly(),
  })
  .meta({ id: 'PersonaView' })

export const PersonaList = z.object({ personas: z.array(PersonaViewShape) }).meta({ id: 'PersonaList' })

const OrganRecord = z
  .object({ name: z.string(), provider: Provider.nullable(), url: z.string(), api_key: z.string().nullable() })
  .meta({ id: 'OrganRecord' })

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
    ...organs(OrganRecord.nullable()),
    channels: z.array(z.never()).readonly(),
  })
  .meta({ id: 'PersonaRecord' })

const MediaView = z.object({ filename: z.string(), mime: z.string(), url: z.string(), caption: z.string() }).meta({ id: 'MediaView' })

const ConversationMessageShape: z.ZodType<ConversationMessage, ConversationMessage> = z
  .object({
    id: z.int(),
    role: z.enum(['person', 'assistant']),
    content: z.string(),
    channel: Channel.nullable(),
    time: z.string(),
    turn: z.int().nullable(),
    step: z.int().nullable(),
    media: MediaView.nullable(),
    delivery: z.null(),
  })
  .meta({ id: 'ConversationMessage' })

export const Conversation = z
  .object({ messages: z.array(ConversationMessageShape).readonly(), has_more: z.boolean() })
  .meta({ id: 'Conversation' })

/** All she said in one turn. */
export const Reply = z
  .object({
    id: z.int().describe('Position of her last words in the journal.'),
    content: z.string(),
    media: MediaView.nullable(),
    time: z.string(),
  })
  .meta({ id: 'Reply' })
