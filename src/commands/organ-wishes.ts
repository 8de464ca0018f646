/** Parses and checks organs in requests, before any slow step. */

import { type Organ, Provider, Slot } from '../../journal/facts/fact-values.ts'
import { isObject } from '../../packages/kit/is-object.ts'
import type { OrganAsk } from '../../packages/models/models.ts'
import { Refused } from '../persona/refusals.ts'
import type { DeclaredOrgans } from '../persona/rules/self.ts'

/** `apiKey` undefined: not sent, so a stored one may be reused. */
export interface OrganWish extends Omit<OrganAsk, 'apiKey'> {
  readonly apiKey: string | undefined
}

/** In the order of the slots. */
export type Wishes = Readonly<Partial<Record<Slot, OrganWish>>>
/** An organ in a request. Missing fields are null or undefined. */
export type OrganFields = Readonly<
  Partial<Record<'model' | 'provider' | 'url' | 'api_key', string | null | undefined>>
>

/** Parses an organ. Throws Refused: organ_invalid, provider_unknown, model_missing, address_secret. */
export const readOrgan = (slot: Slot, value: unknown): OrganWish => {
  if (!isObject(value)) throw new Refused({ code: 'organ_invalid', slot })
  const { model, provider, url = null, api_key: key = null } = value
  if (!isTextOrNull(url) || !isTextOrNull(key)) throw new Refused({ code: 'organ_invalid', slot })
  return parseWish({ model, provider, url, key: key ?? undefined })
}

/** Returns the Mind and all other organs with a model. Throws like `parseWish`. */
export const declaredWishes = (fields: Readonly<Record<Slot, OrganFields>>): Wishes =>
  Object.fromEntries(
    Slot.options
      .filter((slot) => slot === 'thinking' || fields[slot].model)
      .map((slot) => {
        const { model, provider, url = null, api_key: key = null } = fields[slot]
        return [slot, parseWish({ model, provider, url, key: key ?? undefined })] as const
      }),
  )

/** `""` names no model and means the local provider. */
const parseWish = (fields: {
  model: unknown
  provider: unknown
  url: string | null
  key: string | undefined
}): OrganWish => {
  const provider = readProvider(fields.provider)
  const { model, url } = fields
  if (typeof model !== 'string' || model.trim() === '')
    throw new Refused({ code: 'model_missing', remote: provider !== null })
  if (url !== null && holdsSecret(url)) throw new Refused({ code: 'address_secret' })
  return { model, provider, url: url || null, apiKey: fields.key }
}

/** Without a key, for dry runs of the rules. */
export const keyless = ({ model, provider, url }: Omit<OrganAsk, 'apiKey'>): Organ => ({
  model,
  provider,
  url,
  key: null,
})

export const keylessOf = (wishes: Wishes): DeclaredOrgans =>
  Object.fromEntries(Object.entries(wishes).map(([slot, wish]) => [slot, keyless(wish)] as const))

/** Addresses are stored in facts, which are not secret. */
const holdsSecret = (url: string): boolean => {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' }
  return username !== '' || password !== ''
}

/** Throws Refused: provider_unknown. */
export const readProvider = (value: unknown): Organ['provider'] => {
  if (value === undefined || value === null || value === '' || value === 'local') return null
  const provider = Provider.safeParse(value)
  if (!provider.success) throw new Refused({ code: 'provider_unknown' })
  return provider.data
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'
