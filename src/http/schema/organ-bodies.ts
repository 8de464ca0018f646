/** Organs as callers write them: what is wrong with one is refused before anything waits, and a kept key is found again. */
import { type Organ, type PersonaId, Provider, Slot } from '../../../journal/facts/fact-values.ts'
import { organTable } from '../../../journal/facts/organ-table.ts'
import { type PersonaRecord, recordOf } from '../../../projections/persona-record.ts'
import type { Self } from '../../../projections/self.ts'
import { type Urls, urlOf, wrapperOf } from '../../../projections/view.ts'
import { trimUrl } from '../../models/base-url.ts'
import { ModelError, type OrganAsk } from '../../models/models.ts'
import type { UpdatePersona } from '../../persona/commands.ts'
import { organNames } from '../../persona/organ-names.ts'
import type { Personas } from '../../persona/personas.ts'
import { Refused } from '../../persona/refusals.ts'
import type { UpdatePersona } from '../../persona/rules/self.ts'
import type { Deps } from '../route.ts'
import { stillThere } from '../server/caller.ts'

/** `apiKey` undefined: not said, so a kept one may stay. */
export interface OrganWish extends Omit<OrganAsk, 'apiKey'> {
  readonly apiKey: string | undefined
}

/** By slot, and in the order of the slots. */
export type Wishes = Readonly<Partial<Record<Slot, OrganWish>>>
type Organs = UpdatePersona['organs']

/** An organ object of an update. Refused: organ_invalid, provider_unknown, model_missing, address_secret. */
export const readOrgan = (slot: Slot, value: unknown): OrganWish => {
  if (!isObject(value)) throw new Refused({ code: 'organ_invalid', slot })
  const { model, provider, url = null, api_key: key = null } = value
  if (!isTextOrNull(url) || !isTextOrNull(key)) throw new Refused({ code: 'organ_invalid', slot })
  return wishOf({ model, provider, url, key: key ?? undefined })
}

type Field = 'model' | 'provider' | 'url' | 'api_key'

/** Her Mind, and every other organ that has a model. Refused: as `wishOf`. */
export const declaredOrgans = (field: (slot: Slot, what: Field) => string | null | undefined): Wishes =>
  Object.fromEntries(
    Slot.options
      .filter((slot) => slot === 'thinking' || field(slot, 'model'))
      .map((slot) => {
        const [model, provider, url, key] = [field(slot, 'model'), field(slot, 'provider'), field(slot, 'url'), field(slot, 'api_key')]
        return [slot, wishOf({ model, provider, url: url ?? null, key: key ?? undefined })] as const
      }),
  )

/** Each with the key that came with it, or none. */
export const wantedAnew = (wishes: Wishes): readonly Wanted[] =>
  Slot.options.flatMap((slot): readonly Wanted[] => {
    const wish = wishes[slot]
    return wish ? [{ slot, ask: { ...wish, apiKey: wish.apiKey || null }, ref: null }] : []
  })

/** What is not there is null or undefined; `""` names no model and is the local provider. */
const wishOf = (asked: { model: unknown; provider: unknown; url: string | null; key: string | undefined }): OrganWish => {
  const provider = readProvider(asked.provider)
  const { model, url } = asked
  if (typeof model !== 'string' || model.trim() === '') throw new Refused({ code: 'model_missing', remote: provider !== null })
  if (url !== null && holdsSecret(url)) throw new Refused({ code: 'address_secret' })
  return { model, provider, url: url || null, apiKey: asked.key }
}

/** As the rules are asked on paper. */
export const keyless = ({ model, provider, url }: Omit<OrganAsk, 'apiKey'>): Organ => ({ model, provider, url, key: null })

export const keylessOf = (wishes: Wishes): Organs =>
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

/** An organ with the key that it will have: a kept one stays only where the organ calls the same address of the same provider. */
const keyFor = (
  wish: OrganWish,
  kept: Organ | undefined,
  urls: Urls,
): { readonly ref: string | null } | { readonly clear: string | null } => {
  if (wish.apiKey !== undefined) return { clear: wish.apiKey || null }
  const stays = kept !== undefined && kept.provider === wish.provider && addressOf(kept, urls) === addressOf(keyless(wish), urls)
  return { ref: stays ? kept.key : null }
}

/** An organ as its models take it, with its key in clear. */
export const askOf = async (personas: Personas, id: PersonaId, organ: Organ): Promise<OrganAsk> => {
  const { key, ...model } = organ
  return { ...model, apiKey: key === null ? null : await personas.secret(id, key) }
}

/** An organ that is asked for, and where its key lies already. */
export interface Wanted {
  readonly slot: Slot
  readonly ask: OrganAsk
  readonly ref: string | null
}

/** Each with the key it will have. */
export const wantedOf = async (personas: Personas, self: Self, wishes: Wishes, urls: Urls): Promise<readonly Wanted[]> => {
  const wanted: Wanted[] = []
  for (const slot of Slot.options) {
    const wish = wishes[slot]
    if (!wish) continue
    const key = keyFor(wish, self.organs[slot], urls)
    const ref = 'ref' in key ? key.ref : null
    const apiKey = 'clear' in key ? key.clear : ref === null ? null : await personas.secret(self.id, ref)
    wanted.push({ slot, ask: { model: wish.model, provider: wish.provider, url: wish.url, apiKey }, ref })
  }
  return wanted
}

/** All at once; of those that cannot be prepared the first is told. Refused: cut_short, where nobody waits for it any more. ModelError. */
export const prepareOrgans = async (
  { bus, models }: Pick<Deps, 'bus' | 'models'>,
  wanted: readonly Pick<Wanted, 'slot' | 'ask'>[],
  gone: AbortSignal,
): Promise<void> => {
  const enough = new AbortController()
  const signal = AbortSignal.any([gone, enough.signal])
  const preparing = wanted.map(async ({ slot, ask }) => {
    try {
      await models.prepare(slot, ask, (progress) => bus.sign({ type: 'progress', ...progress }), signal)
    } catch (error) {
      throw error instanceof ModelError ? new ModelError(`The ${organTable[slot].title} could not be prepared: ${error.message}`) : error
    }
  })
  // Those behind the one that is told are heard by nobody.
  for (const one of preparing) one.catch(() => undefined)
  try {
    for (const one of preparing) await one
  } catch (error) {
    enough.abort()
    stillThere(gone)
    throw error
  }
  stillThere(gone)
}

/** Hands over the organs as facts hold them, their keys kept; where saving them fails, no key of them is kept. */
export const withKeys = async <T>(
  { log, personas }: Pick<Deps, 'log' | 'personas'>,
  id: PersonaId,
  wanted: readonly Wanted[],
  save: (organs: Organs) => Promise<T>,
): Promise<T> => {
  const kept: string[] = []
  try {
    const organs: Partial<Record<Slot, Organ>> = {}
    for (const { slot, ask, ref } of wanted) {
      const key = ref ?? (ask.apiKey === null ? null : await personas.keepSecret(id, ask.apiKey))
      if (ref === null && key !== null) kept.push(key)
      organs[slot] = { ...keyless(ask), key }
    }
    return await save(organs)
  } catch (error) {
    // Why it could not be saved is what the caller needs to know.
    for (const ref of kept)
      await personas
        .dropSecret(id, ref)
        .catch((err: unknown) => log.warn({ id, err }, 'a key that came with a change that failed could not be removed yet'))
    throw error
  }
}

/** The Mind where it is registered at a runtime, with the name it has there. */
export const wrappedMind = ({
  id,
  organs,
}: Pick<Self, 'id' | 'organs'>): { readonly mind: Organ; readonly wrapper: string } | undefined => {
  const mind = organs.thinking
  const wrapper = mind ? wrapperOf(id, mind) : null
  return mind && wrapper !== null ? { mind, wrapper } : undefined
}

/** Two organs call the same place. */
export const addressOf = (organ: Organ, urls: Urls): string => trimUrl(urlOf(organ, urls))

/** The raw record, with every key and token in clear. */
export const recordFor = async (personas: Personas, self: Self, urls: Urls): Promise<PersonaRecord> => {
  const keys = [...Object.values(self.organs).flatMap(({ key }) => (key === null ? [] : [key])), ...self.channels.map(({ token }) => token)]
  const clear = new Map(await Promise.all(keys.map(async (key) => [key, await personas.secret(self.id, key)] as const)))
  return recordOf(self, (key) => clear.get(key) ?? null, urls)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'
