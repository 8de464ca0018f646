/** The fields of organs in a flat body. */
import { Slot } from '../../../journal/facts/fact-values.ts'
import type { OrganFields } from '../../commands/organ-wishes.ts'

export const organFields = (
  field: (slot: Slot, what: keyof OrganFields) => string | null | undefined,
): Readonly<Record<Slot, OrganFields>> => {
  const of = (slot: Slot): OrganFields => ({
    model: field(slot, 'model'),
    provider: field(slot, 'provider'),
    url: field(slot, 'url'),
    api_key: field(slot, 'api_key'),
  })
  return Object.fromEntries(Slot.options.map((slot) => [slot, of(slot)] as const)) as Record<Slot, OrganFields>
}
