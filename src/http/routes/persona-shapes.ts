/** Shapes of personas in responses, and their flat fields in create, fork and migrate. */
import * as z from 'zod'
import { Channel, ChannelKind, PromptProfile, Provider, Slot, Status } from '../../../facts/fact-values.ts'
import { type OtherSlot, perOtherSlot } from '../../../facts/organ-table.ts'
import type { ChannelRecord, PersonaRecord } from '../../../projections/persona-record.ts'
import type { PersonaView, PortraitView } from '../../../projections/view.ts'
import type { Tokens } from '../../commands/channels.ts'
import type { OrganFields } from '../../commands/organ-request.ts'

export const OrganView = z
  .object({
    name: z.string(),
    provider: Provider.nullable(),
    url: z.string(),
    profile: PromptProfile.exactOptional().describe(
      'Tools and instructions of a Mind. Only if the user has chosen a profile.',
    ),
  })
  .meta({ id: 'OrganView' })

export const ChannelView = z
  .object({ type: Channel.shape.type, name: z.string(), verified: z.boolean() })
  .meta({ id: 'ChannelView' })

export const PortraitViewShape: z.ZodType<PortraitView> = z
  .object({
    url: z.string().describe('Changes with the picture, so that clients can cache it.'),
    mime: z.string(),
    bytes: z.int(),
  })
  .meta({ id: 'Portrait' })

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
    portrait: PortraitViewShape.nullable(),
  })
  .meta({ id: 'PersonaView' })

export const PersonaList = z
  .object({
    personas: z.array(PersonaViewShape),
    copy: z
      .object({
        path: z.string().describe('What was copied.'),
        until: z.record(z.string(), z.string()).describe('Time of the last fact of each persona, by id.'),
      })
      .optional()
      .describe('Only in a read-only view of a copy (`daimon journal-browser`).'),
  })
  .meta({ id: 'PersonaList' })

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
    credentials: z.object({
      token: z.string(),
      homeserver: z.string().exactOptional().describe('Only of Matrix: the address of the homeserver.'),
    }),
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

// Flat fields of create, fork and migrate: five for each organ, and a token for each bot.

const parts = ['model', 'url', 'provider', 'api_key', 'api_key_from'] as const
type Part = (typeof parts)[number]
type OrganName = `${OtherSlot}_${Part}`
type TokenName = `${ChannelKind}_token` | 'matrix_homeserver'

/** Returns the fields of all organs except the Mind. */
export const organFields = <T extends z.ZodType>(field: T): Readonly<Record<OrganName, T>> => {
  const names = Slot.options.flatMap((slot) =>
    slot === 'thinking' ? [] : parts.map((part) => `${slot}_${part}` as const),
  )
  return Object.fromEntries(names.map((name) => [name, field])) as Record<OrganName, T>
}

/** Returns the fields of all organs except the Mind, and the tokens of all bots. */
export const declaredFields = <T extends z.ZodType>(field: T): Readonly<Record<OrganName | TokenName, T>> => {
  const names: readonly TokenName[] = [
    ...ChannelKind.options.map((kind) => `${kind}_token` as const),
    'matrix_homeserver',
  ]
  const tokens = names.map((name) => [name, field] as const)
  return { ...organFields(field), ...(Object.fromEntries(tokens) as Record<TokenName, T>) }
}

/** For `refuses` of the routes that take organs. */
export const keyRefusals = ['key_elsewhere', 'key_unknown', 'key_source_invalid'] as const

/** For `refuses` of the routes that take one organ. */
export const organRefusals = [
  'organ_invalid',
  'profile_invalid',
  'provider_unknown',
  'model_missing',
  'address_secret',
  ...keyRefusals,
] as const

type FieldValue = string | null | undefined

export const parseOrgans = (
  field: (slot: Slot, part: Part) => FieldValue,
): Readonly<Record<Slot, OrganFields>> => {
  const organ = (slot: Slot): OrganFields =>
    Object.fromEntries(parts.map((part) => [part, field(slot, part)]))
  return Object.fromEntries(Slot.options.map((slot) => [slot, organ(slot)])) as Record<Slot, OrganFields>
}

export const parseTokens = (body: Readonly<Partial<Record<TokenName, FieldValue>>>): Tokens =>
  Object.fromEntries(
    ChannelKind.options.map((kind) => [
      kind,
      {
        token: body[`${kind}_token`] ?? undefined,
        ...(kind === 'matrix' && { homeserver: body.matrix_homeserver ?? undefined }),
      },
    ]),
  )
