/** Reads the organs of a request, and finds and stores their keys. */
import { type Organ, type PersonaId, PromptProfile, Provider, Slot } from '../../journal/facts/fact-values.ts'
import { isObject } from '../../packages/kit/is-object.ts'
import { trimUrl } from '../../packages/models/base-url.ts'
import type { OrganAsk } from '../../packages/models/models.ts'
import { type PersonaRecord, toPersonaRecord } from '../../projections/persona-record.ts'
import type { Self } from '../../projections/self.ts'
import { getUrl, type Urls } from '../../projections/view.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { DeclaredOrgans } from '../persona/rules/persona.ts'
import type { CommandDeps } from './command-deps.ts'
import { withSecrets } from './with-secrets.ts'

/** `apiKey` undefined: not sent, so a stored one may be reused. */
export interface OrganWish extends Omit<OrganAsk, 'apiKey'> {
  readonly apiKey: string | undefined
}

/** In the order of the slots. */
export type Wishes = Readonly<Partial<Record<Slot, OrganWish>>>
/** An organ in a request. Missing fields are null or undefined. */
export type OrganFields = Readonly<
  Partial<Record<'model' | 'provider' | 'url' | 'api_key' | 'profile', string | null | undefined>>
>

/**
 * Parses an organ. Throws Refused: organ_invalid, profile_invalid, provider_unknown, model_missing,
 * address_secret.
 */
export const readOrgan = (slot: Slot, value: unknown): OrganWish => {
  if (!isObject(value)) throw new Refused({ code: 'organ_invalid', slot })
  const { model, provider, url = null, api_key: key = null, profile } = value
  if (!isTextOrNull(url) || !isTextOrNull(key)) throw new Refused({ code: 'organ_invalid', slot })
  return { ...parseWish({ model, provider, url, key: key ?? undefined }), ...readProfile(slot, profile) }
}

/**
 * Only a Mind has a profile. `auto` and a missing one let the daemon choose. Throws Refused:
 * profile_invalid.
 */
const readProfile = (slot: Slot, value: unknown): Pick<Organ, 'profile'> => {
  if (value === undefined || value === null || value === 'auto') return {}
  const profile = PromptProfile.safeParse(value)
  if (!profile.success || slot !== 'thinking') throw new Refused({ code: 'profile_invalid' })
  return { profile: profile.data }
}

/** Returns the Mind and all other organs with a model. Throws like `parseWish`. */
export const declaredWishes = (fields: Readonly<Record<Slot, OrganFields>>): Wishes =>
  Object.fromEntries(
    Slot.options
      .filter((slot) => slot === 'thinking' || fields[slot].model)
      .map((slot) => {
        const { model, provider, url = null, api_key: key = null, profile } = fields[slot]
        const wish = parseWish({ model, provider, url, key: key ?? undefined })
        return [slot, { ...wish, ...readProfile(slot, profile) }] as const
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
export const toKeylessOrgan = ({ model, provider, url, profile }: Omit<OrganAsk, 'apiKey'>): Organ => ({
  model,
  provider,
  url,
  key: null,
  ...(profile && { profile }),
})

export const removeKeys = (wishes: Wishes): DeclaredOrgans =>
  Object.fromEntries(Object.entries(wishes).map(([slot, wish]) => [slot, toKeylessOrgan(wish)] as const))

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

/** For a new persona: each organ with the key that was sent, or none. */
export const organsWithNewKeys = (wishes: Wishes): readonly RequestedOrgan[] =>
  Slot.options.flatMap((slot): readonly RequestedOrgan[] => {
    const wish = wishes[slot]
    return wish ? [{ slot, ask: { ...wish, apiKey: wish.apiKey || null }, ref: null }] : []
  })

/** Chooses the key of an organ. The stored one is reused only for the same address and provider. */
const keyFor = (
  wish: OrganWish,
  current: Organ | undefined,
  urls: Urls,
): { readonly ref: string | null } | { readonly clear: string | null } => {
  if (wish.apiKey !== undefined) return { clear: wish.apiKey || null }
  const stays =
    current !== undefined &&
    current.provider === wish.provider &&
    organAddress(current, urls) === organAddress(toKeylessOrgan(wish), urls)
  return { ref: stays ? current.key : null }
}

/** Returns an organ with its key in clear text. */
export const organRequestFor = async (
  personas: PersonaStore,
  id: PersonaId,
  organ: Organ,
): Promise<OrganAsk> => {
  const { key, ...model } = organ
  return { ...model, apiKey: key === null ? null : await personas.secret(id, key) }
}

/** A requested organ. `ref`: reference of a stored key, if any. */
export interface RequestedOrgan {
  readonly slot: Slot
  readonly ask: OrganAsk
  readonly ref: string | null
}

/** For an existing persona: each organ with the key that it will have. */
export const selectOrgans = async (
  personas: PersonaStore,
  self: Self,
  wishes: Wishes,
  urls: Urls,
): Promise<readonly RequestedOrgan[]> => {
  const requestedOrgans: RequestedOrgan[] = []
  for (const slot of Slot.options) {
    const wish = wishes[slot]
    if (!wish) continue
    const key = keyFor(wish, self.organs[slot], urls)
    const ref = 'ref' in key ? key.ref : null
    const apiKey = 'clear' in key ? key.clear : ref === null ? null : await personas.secret(self.id, ref)
    requestedOrgans.push({ slot, ask: { ...wish, apiKey }, ref })
  }
  return requestedOrgans
}

/** Stores the keys and passes the organs to `save`. Removes the keys if it fails. */
export const withKeys = async <T>(
  deps: Pick<CommandDeps, 'log' | 'personas'>,
  id: PersonaId,
  requestedOrgans: readonly RequestedOrgan[],
  save: (organs: DeclaredOrgans) => Promise<T>,
): Promise<T> =>
  withSecrets(deps, id, 'key', async (keepSecret) => {
    const organs: Partial<Record<Slot, Organ>> = {}
    for (const { slot, ask, ref } of requestedOrgans) {
      const key = ref ?? (ask.apiKey === null ? null : await keepSecret(ask.apiKey))
      organs[slot] = { ...toKeylessOrgan(ask), key }
    }
    return save(organs)
  })

/** For comparing the endpoints of two organs. */
export const organAddress = (organ: Organ, urls: Urls): string => trimUrl(getUrl(organ, urls))

/** Returns the record with all keys and tokens in clear text. */
export const recordFor = async (personas: PersonaStore, self: Self, urls: Urls): Promise<PersonaRecord> => {
  const keys = [
    ...Object.values(self.organs).flatMap(({ key }) => (key === null ? [] : [key])),
    ...self.channels.map(({ token }) => token),
  ]
  const clear = new Map(
    await Promise.all(keys.map(async (key) => [key, await personas.secret(self.id, key)] as const)),
  )
  return toPersonaRecord(self, (key) => clear.get(key) ?? null, urls)
}
