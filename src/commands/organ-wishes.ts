/** Organs as callers write them: what is wrong with one is refused before anything waits. */

import { type Organ, Provider, Slot } from '../../journal/facts/fact-values.ts'
import { isObject } from '../is-object.ts'
import type { OrganAsk } from '../models/models.ts'
import { Refused } from '../persona/refusals.ts'
import type { DeclaredOrgans } from '../persona/rules/self.ts'

/** `apiKey` undefined: not said, so a kept one may stay. */
export interface OrganWish extends Omit<OrganAsk, 'apiKey'> {
  readonly apiKey: string | undefined
}

/** By slot, and in the order of the slots. */
export type Wishes = Readonly<Partial<Record<Slot, OrganWish>>>
/** An organ that is declared with a persona: what is not there is null or undefined. */
export type OrganFields = Readonly<
  Partial<Record<'model' | 'provider' | 'url' | 'api_key', string | null | undefined>>
>

/** An organ object of an update. Refused: organ_invalid, provider_unknown, model_missing, address_secret. */
export const readOrgan = (slot: Slot, value: unknown): OrganWish => {
  if (!isObject(value)) throw new Refused({ code: 'organ_invalid', slot })
  const { model, provider, url = null, api_key: key = null } = value
  if (!isTextOrNull(url) || !isTextOrNull(key)) throw new Refused({ code: 'organ_invalid', slot })
  return wishOf({ model, provider, url, key: key ?? undefined })
}

/** The Mind, and every other organ that has a model. Refused: as `wishOf`. */
export const declaredWishes = (fields: Readonly<Record<Slot, OrganFields>>): Wishes =>
  Object.fromEntries(
    Slot.options
      .filter((slot) => slot === 'thinking' || fields[slot].model)
      .map((slot) => {
        const { model, provider, url = null, api_key: key = null } = fields[slot]
        return [slot, wishOf({ model, provider, url, key: key ?? undefined })] as const
      }),
  )

/** What is not there is null or undefined; `""` names no model and is the local provider. */
const wishOf = (asked: {
  model: unknown
  provider: unknown
  url: string | null
  key: string | undefined
}): OrganWish => {
  const provider = readProvider(asked.provider)
  const { model, url } = asked
  if (typeof model !== 'string' || model.trim() === '')
    throw new Refused({ code: 'model_missing', remote: provider !== null })
  if (url !== null && holdsSecret(url)) throw new Refused({ code: 'address_secret' })
  return { model, provider, url: url || null, apiKey: asked.key }
}

/** As the rules are asked on paper. */
export const keyless = ({ model, provider, url }: Omit<OrganAsk, 'apiKey'>): Organ => ({
  model,
  provider,
  url,
  key: null,
})

export const keylessOf = (wishes: Wishes): DeclaredOrgans =>
  Object.fromEntries(Object.entries(wishes).map(([slot, wish]) => [slot, keyless(wish)] as const))

/** Facts hold addresses, and facts are shown. */
const holdsSecret = (url: string): boolean => {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' }
  return username !== '' || password !== ''
}

/** Refused: provider_unknown. */
export const readProvider = (value: unknown): Organ['provider'] => {
  if (value === undefined || value === null || value === '' || value === 'local') return null
  const provider = Provider.safeParse(value)
  if (!provider.success) throw new Refused({ code: 'provider_unknown' })
  return provider.data
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'
