/** The facts of a small shop, on which the conformance tests run. */
import * as z from 'zod'
import type * as log from '../log/journal.ts'
import { defineVocabulary, fact, type TypesOf } from '../log/vocabulary.ts'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const facts = {
  ShopOpened: fact({ name: z.string() }),
  ShopRenamed: fact({ name: z.string() }),
  OrderTaken: fact(
    { text: z.string(), key: z.string().nullable() },
    { index: 'orders', blank: { text: '' }, dedupeKey: ({ key }) => key },
  ),
  OrderAnswered: fact({ text: z.string() }, { index: 'orders', blank: { text: '' } }),
  DeliveryPlanned: fact({ text: z.string() }, { index: 'deliveries' }),
  CallMade: fact(
    { recording: Sha256.nullable() },
    { index: 'calls', parts: ({ recording }) => (recording ? [recording] : []) },
  ),
  NoteWritten: fact({ note: z.string(), count: z.int(), data: z.unknown() }),
}

const Cause = z.strictObject({
  by: z.enum(['customer', 'clerk']),
  shift: z.int().optional(),
  order: z.int().optional(),
})

export const shopVocabulary = defineVocabulary({
  facts,
  cause: Cause,
  indexes: { orders: { isCached: true, omitsErased: true }, deliveries: {}, calls: {} },
})

type ShopTypes = TypesOf<typeof facts, z.infer<typeof Cause>, 'orders' | 'deliveries' | 'calls'>
export type ShopFact = ShopTypes['fact']
export type Draft = log.Draft<ShopTypes>
export type Entry = log.Entry<ShopTypes>
export type Commit = log.Commit<ShopTypes>
export type Journal = log.Journal<ShopTypes>
export type Journals = log.Journals<ShopTypes>

export const shopOpened: ShopFact = { type: 'ShopOpened', name: 'Ada' }
export const callMade: ShopFact = { type: 'CallMade', recording: null }
export const orderTaken = (text: string, key: string | null = null): ShopFact => ({
  type: 'OrderTaken',
  text,
  key,
})
export const orderAnswered = (text: string): ShopFact => ({ type: 'OrderAnswered', text })
export const deliveryPlanned = (text: string): ShopFact => ({ type: 'DeliveryPlanned', text })
export const renamed = (name: string): ShopFact => ({ type: 'ShopRenamed', name })

export const draft = (...events: readonly ShopFact[]): Draft => ({
  events,
  cause: { by: 'customer' },
  at: 1_780_000_000_000,
  offset: 120,
})
