/** The flat fields of create and migrate: four for each organ, and a token for each bot. */
import type * as z from 'zod'
import { ChannelKind, Slot } from '../../../journal/facts/fact-values.ts'
import type { OtherSlot } from '../../../journal/facts/organ-table.ts'
import type { Tokens } from '../../commands/channels.ts'
import type { OrganFields } from '../../commands/organ-request.ts'

const parts = ['model', 'url', 'provider', 'api_key'] as const
type Part = (typeof parts)[number]
type OrganName = `${OtherSlot}_${Part}`
type TokenName = `${ChannelKind}_token`

/** Returns the fields of all organs except the Mind. */
export const organFields = <T extends z.ZodType>(field: T): Readonly<Record<OrganName, T>> => {
  const names = Slot.options.flatMap((slot) =>
    slot === 'thinking' ? [] : parts.map((part) => `${slot}_${part}` as const),
  )
  return Object.fromEntries(names.map((name) => [name, field])) as Record<OrganName, T>
}

/** Returns the fields of all organs except the Mind, and the tokens of all bots. */
export const declaredFields = <T extends z.ZodType>(field: T): Readonly<Record<OrganName | TokenName, T>> => {
  const tokens = ChannelKind.options.map((kind) => [`${kind}_token`, field] as const)
  return { ...organFields(field), ...(Object.fromEntries(tokens) as Record<TokenName, T>) }
}

type FieldValue = string | null | undefined

export const parseOrgans = (
  field: (slot: Slot, part: Part) => FieldValue,
): Readonly<Record<Slot, OrganFields>> => {
  const organ = (slot: Slot): OrganFields =>
    Object.fromEntries(parts.map((part) => [part, field(slot, part)]))
  return Object.fromEntries(Slot.options.map((slot) => [slot, organ(slot)])) as Record<Slot, OrganFields>
}

export const parseTokens = (body: Readonly<Partial<Record<TokenName, FieldValue>>>): Tokens =>
  Object.fromEntries(ChannelKind.options.map((kind) => [kind, body[`${kind}_token`]]))
