/** Organs as callers write them: what is wrong with one is refused before anything waits, and a kept key is found again. */
import { type Organ, type PersonaId, Provider, type Slot } from '../../journal/events.ts'
import { type PersonaRecord, recordOf } from '../../projections/record.ts'
import type { Self } from '../../projections/self.ts'
import { type Urls, urlOf, wrapperOf } from '../../projections/view.ts'
import { trimUrl } from '../config.ts'
import type { OrganAsk } from '../models/models.ts'
import type { Personas } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import { stillThere } from './caller.ts'
import type { Deps } from './route.ts'

/** `apiKey` undefined: not said, so a kept one may stay. */
export interface OrganWish extends Omit<OrganAsk, 'apiKey'> {
  readonly apiKey: string | undefined
}

/** An organ object of an update. Refused: organ_invalid, provider_unknown, model_missing, address_secret, not_offered. */
export const readOrgan = (slot: Slot, value: unknown): OrganWish => {
  if (!isObject(value)) throw new Refused({ code: 'organ_invalid', slot })
  const { model, provider, url = null, api_key: key = null } = value
  if (!isTextOrNull(url) || !isTextOrNull(key)) throw new Refused({ code: 'organ_invalid', slot })
  return wishOf(slot, { model, provider, url, key: key ?? undefined })
}

/** What is not there is null or undefined; `""` names no model and is the local provider. */
export const wishOf = (
  slot: Slot,
  asked: { model: unknown; provider: unknown; url: string | null; key: string | undefined },
): OrganWish => {
  const provider = readProvider(asked.provider)
  const { model, url } = asked
  if (typeof model !== 'string' || model.trim() === '') throw new Refused({ code: 'model_missing', remote: provider !== null })
  if (url !== null && holdsSecret(url)) throw new Refused({ code: 'address_secret' })
  if (provider !== null) throw new Refused({ code: 'not_offered', what: `The provider ${provider}` })
  if (slot !== 'thinking') throw new Refused({ code: 'not_offered', what: `The ${slot} organ` })
  return { model, provider, url: url || null, apiKey: asked.key }
}

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
export const keyFor = (
  wish: OrganWish,
  kept: Organ | undefined,
  urls: Urls,
): { readonly ref: string | null } | { readonly clear: string | null } => {
  if (wish.apiKey !== undefined) return { clear: wish.apiKey || null }
  const stays = kept !== undefined && kept.provider === wish.provider && addressOf(kept, urls) === addressOf({ ...wish, key: null }, urls)
  return { ref: stays ? kept.key : null }
}

/** An organ as its models take it, with its key in clear. */
export const askOf = async (personas: Personas, id: PersonaId, organ: Organ): Promise<OrganAsk> => {
  const { key, ...model } = organ
  return { ...model, apiKey: key === null ? null : await personas.secret(id, key) }
}

/** Refused: cut_short, where nobody waits for it any more. ModelError. */
export const prepareMind = async ({ bus, models }: Pick<Deps, 'bus' | 'models'>, mind: OrganAsk, gone: AbortSignal): Promise<void> => {
  try {
    await models.prepare(mind, (progress) => bus.sign({ type: 'progress', ...progress }), gone)
  } catch (error) {
    stillThere(gone)
    throw error
  }
  stillThere(gone)
}

/** The Mind where it is registered at a runtime, with the name it has there. */
export const wrappedMind = ({ id, organs }: Self): { readonly mind: Organ; readonly wrapper: string } | undefined => {
  const mind = organs.thinking
  const wrapper = mind ? wrapperOf(id, mind) : null
  return mind && wrapper !== null ? { mind, wrapper } : undefined
}

/** Two organs call the same place. */
export const addressOf = (organ: Organ, urls: Urls): string => trimUrl(urlOf(organ, urls))

/** For the log. */
export const keyStays = 'a key that came with a change that failed could not be removed yet'

/** The raw record, with every key in clear. */
export const recordFor = async (personas: Personas, self: Self, urls: Urls): Promise<PersonaRecord> => {
  const keys = Object.values(self.organs).flatMap(({ key }) => (key === null ? [] : [key]))
  const clear = new Map(await Promise.all(keys.map(async (key) => [key, await personas.secret(self.id, key)] as const)))
  return recordOf(self, (key) => clear.get(key) ?? null, urls)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'
