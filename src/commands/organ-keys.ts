/** Keys of organs: as they came, as they are kept beside the facts, and found again. */
import { type Organ, type PersonaId, Slot } from '../../journal/facts/fact-values.ts'
import { type PersonaRecord, recordOf } from '../../projections/persona-record.ts'
import type { Self } from '../../projections/self.ts'
import { type Urls, urlOf } from '../../projections/view.ts'
import { trimUrl } from '../models/base-url.ts'
import type { OrganAsk } from '../models/models.ts'
import type { Personas } from '../persona/personas.ts'
import type { DeclaredOrgans } from '../persona/rules/self.ts'
import type { CommandDeps } from './command-deps.ts'
import { keyless, type OrganWish, type Wishes } from './organ-wishes.ts'
import { withSecrets } from './with-secrets.ts'

/** Each with the key that came with it, or none. */
export const wantedAnew = (wishes: Wishes): readonly Wanted[] =>
  Slot.options.flatMap((slot): readonly Wanted[] => {
    const wish = wishes[slot]
    return wish ? [{ slot, ask: { ...wish, apiKey: wish.apiKey || null }, ref: null }] : []
  })

/**
 * An organ with the key that it will have: a kept one stays only where the organ calls the same address of
 * the same provider.
 */
const keyFor = (
  wish: OrganWish,
  kept: Organ | undefined,
  urls: Urls,
): { readonly ref: string | null } | { readonly clear: string | null } => {
  if (wish.apiKey !== undefined) return { clear: wish.apiKey || null }
  const stays =
    kept !== undefined &&
    kept.provider === wish.provider &&
    addressOf(kept, urls) === addressOf(keyless(wish), urls)
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
export const wantedOf = async (
  personas: Personas,
  self: Self,
  wishes: Wishes,
  urls: Urls,
): Promise<readonly Wanted[]> => {
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

/**
 * Hands over the organs as facts hold them, their keys kept; where saving them fails, no key of them is kept.
 */
export const withKeys = async <T>(
  deps: Pick<CommandDeps, 'log' | 'personas'>,
  id: PersonaId,
  wanted: readonly Wanted[],
  save: (organs: DeclaredOrgans) => Promise<T>,
): Promise<T> =>
  withSecrets(deps, id, 'key', async (keep) => {
    const organs: Partial<Record<Slot, Organ>> = {}
    for (const { slot, ask, ref } of wanted) {
      const key = ref ?? (ask.apiKey === null ? null : await keep(ask.apiKey))
      organs[slot] = { ...keyless(ask), key }
    }
    return save(organs)
  })

/** Two organs call the same place. */
export const addressOf = (organ: Organ, urls: Urls): string => trimUrl(urlOf(organ, urls))

/** The raw record, with every key and token in clear. */
export const recordFor = async (personas: Personas, self: Self, urls: Urls): Promise<PersonaRecord> => {
  const keys = [
    ...Object.values(self.organs).flatMap(({ key }) => (key === null ? [] : [key])),
    ...self.channels.map(({ token }) => token),
  ]
  const clear = new Map(
    await Promise.all(keys.map(async (key) => [key, await personas.secret(self.id, key)] as const)),
  )
  return recordOf(self, (key) => clear.get(key) ?? null, urls)
}
