/** Reads the organs of a request, and finds and stores their keys. */
import { type Organ, type PersonaId, PromptProfile, Provider, Slot } from '../../facts/fact-values.ts'
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

/**
 * `apiKey` undefined: not sent, so a stored one may be reused. `keyFrom`: the organ whose key is used if none
 * was sent.
 */
export interface OrganWish extends Omit<OrganAsk, 'apiKey'> {
  readonly apiKey: string | undefined
  readonly keyFrom: Slot | null
}

/** In the order of the slots. */
export type Wishes = Readonly<Partial<Record<Slot, OrganWish>>>
/** An organ in a request. Missing fields are null or undefined. */
export type OrganFields = Readonly<
  Partial<
    Record<'model' | 'provider' | 'url' | 'api_key' | 'api_key_from' | 'profile', string | null | undefined>
  >
>

/**
 * Parses an organ. Throws Refused: organ_invalid, profile_invalid, provider_unknown, model_missing,
 * address_secret, key_source_invalid.
 */
export const readOrgan = (slot: Slot, value: unknown): OrganWish => {
  if (!isObject(value)) throw new Refused({ code: 'organ_invalid', slot })
  const { model, provider, url = null, api_key: key = null, api_key_from: keyFrom, profile } = value
  if (!isTextOrNull(url) || !isTextOrNull(key)) throw new Refused({ code: 'organ_invalid', slot })
  const wish = parseWish({ model, provider, url, key: key ?? undefined })
  return { ...wish, keyFrom: readKeySource(slot, keyFrom), ...readProfile(slot, profile) }
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

/** Throws Refused: key_source_invalid. */
const readKeySource = (slot: Slot, value: unknown): Slot | null => {
  if (value === undefined || value === null || value === '') return null
  const source = Slot.safeParse(value)
  if (!source.success || source.data === slot) throw new Refused({ code: 'key_source_invalid' })
  return source.data
}

/** Returns the Mind and all other organs with a model. Throws like `parseWish`. */
export const declaredWishes = (fields: Readonly<Record<Slot, OrganFields>>): Wishes =>
  Object.fromEntries(
    Slot.options
      .filter((slot) => slot === 'thinking' || fields[slot].model)
      .map((slot) => {
        const {
          model,
          provider,
          url = null,
          api_key: key = null,
          api_key_from: keyFrom,
          profile,
        } = fields[slot]
        // An empty key counts as missing here.
        const wish = parseWish({ model, provider, url, key: key || undefined })
        return [
          slot,
          { ...wish, keyFrom: readKeySource(slot, keyFrom), ...readProfile(slot, profile) },
        ] as const
      }),
  )

/** `""` names no model and means the local provider. */
const parseWish = (fields: {
  model: unknown
  provider: unknown
  url: string | null
  key: string | undefined
}): Omit<OrganWish, 'keyFrom'> => {
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

/**
 * For a new persona: each organ with the key that was sent, that of the organ it names, or none. Throws
 * Refused: key_source_invalid, key_elsewhere, key_unknown.
 */
export const organsWithNewKeys = (wishes: Wishes, urls: Urls): readonly RequestedOrgan[] =>
  listWishes(wishes).map(([slot, wish]) => {
    const source = findSource(wish, wishes)
    if (source) checkShares(wish, source, urls)
    else if (sharesKey(wish)) throw new Refused({ code: 'key_unknown' })
    return { slot, ask: toAsk(wish, (source ?? wish).apiKey || null), ref: null }
  })

const listWishes = (wishes: Wishes) =>
  Slot.options.flatMap((slot) => {
    const wish = wishes[slot]
    return wish ? [[slot, wish] as const] : []
  })

const toAsk = ({ keyFrom: _, ...wish }: OrganWish, apiKey: string | null): OrganAsk => ({ ...wish, apiKey })

const sharesKey = ({ apiKey, keyFrom }: OrganWish): boolean => apiKey === undefined && keyFrom !== null

/** Returns the organ of the same request whose key is used, if there is one. */
const findSource = (wish: OrganWish, wishes: Wishes): OrganWish | undefined => {
  const source = sharesKey(wish) && wish.keyFrom !== null ? wishes[wish.keyFrom] : undefined
  if (source && sharesKey(source)) throw new Refused({ code: 'key_source_invalid' })
  return source
}

type Endpoint = Pick<Organ, 'model' | 'provider' | 'url'>

const isSameEndpoint = (a: Endpoint, b: Endpoint, urls: Urls): boolean =>
  a.provider === b.provider && organAddress(a, urls) === organAddress(b, urls)

/** A key is only sent to the provider and address that it was given for. Throws Refused: key_elsewhere. */
const checkShares = (wish: Endpoint, source: Endpoint, urls: Urls): void => {
  if (!isSameEndpoint(wish, source, urls)) throw new Refused({ code: 'key_elsewhere' })
}

/** Chooses the key of an organ. The stored one is reused only for the same address and provider. */
const keyFor = (
  wish: OrganWish,
  current: Organ | undefined,
  urls: Urls,
): { readonly ref: string | null } | { readonly clear: string | null } => {
  if (wish.apiKey !== undefined) return { clear: wish.apiKey || null }
  return { ref: current && isSameEndpoint(current, wish, urls) ? current.key : null }
}

/**
 * Returns the stored key of an organ of this provider at this address. Null if the organ has none and uses
 * that of the environment. Throws Refused: key_elsewhere, key_unknown.
 */
export const findStoredKey = async (
  personas: PersonaStore,
  self: Pick<Self, 'id' | 'organs'>,
  endpoint: Endpoint,
  urls: Urls,
): Promise<string | null> => {
  const organs = Object.values(self.organs).filter(({ provider }) => provider === endpoint.provider)
  const organsThere = organs.filter((organ) => isSameEndpoint(organ, endpoint, urls))
  const key = organsThere.find((organ) => organ.key !== null)?.key ?? null
  if (key !== null) return personas.secret(self.id, key)
  if (organsThere.length > 0) return null
  throw new Refused({ code: organs.some((organ) => organ.key !== null) ? 'key_elsewhere' : 'key_unknown' })
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

/**
 * For an existing persona: each organ with the key that it will have. Throws Refused: key_source_invalid,
 * key_elsewhere, key_unknown.
 */
export const selectOrgans = async (
  personas: PersonaStore,
  self: Self,
  wishes: Wishes,
  urls: Urls,
): Promise<readonly RequestedOrgan[]> => {
  const readKey = async (ref: string | null) => (ref === null ? null : personas.secret(self.id, ref))
  const findOwnKey = async (slot: Slot, wish: OrganWish) => {
    const key = keyFor(wish, self.organs[slot], urls)
    return 'clear' in key
      ? { ref: null, apiKey: key.clear }
      : { ref: key.ref, apiKey: await readKey(key.ref) }
  }
  const findSharedKey = async (from: Slot, wish: OrganWish) => {
    const source = findSource(wish, wishes)
    const storedOrgan = self.organs[from]
    const organ = source ?? storedOrgan
    if (!organ) throw new Refused({ code: 'key_unknown' })
    checkShares(wish, organ, urls)
    const { apiKey } = source
      ? await findOwnKey(from, source)
      : { apiKey: await readKey(storedOrgan?.key ?? null) }
    return { ref: null, apiKey }
  }
  const requestedOrgans: RequestedOrgan[] = []
  for (const [slot, wish] of listWishes(wishes)) {
    const isShared = sharesKey(wish) && wish.keyFrom !== null
    const { ref, apiKey } = await (isShared ? findSharedKey(wish.keyFrom, wish) : findOwnKey(slot, wish))
    requestedOrgans.push({ slot, ask: toAsk(wish, apiKey), ref })
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
export const organAddress = (organ: Endpoint, urls: Urls): string => trimUrl(getUrl(organ, urls))

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
