/** A subscription of another program: its definition, its positions, and its dead letters. */
import * as z from 'zod'

/** A position in a journal. The chain hash identifies all facts up to it. */
const Place = z.object({ seq: z.int().min(0), hash: z.string() })
export type Place = z.infer<typeof Place>

/** A batch that was not accepted yet. Its end is fixed, so that a retry has the same id. */
const PendingBatch = z.object({
  upTo: Place,
  attempts: z.int(),
  /** Epoch ms of the next attempt. */
  retryAt: z.number(),
  reason: z.string(),
})

/** `seq` and `hash`: the last acknowledged fact. `epoch`: how often the position was set back. */
const Position = z.object({
  ...Place.shape,
  epoch: z.int(),
  pending: PendingBatch.nullable(),
})
export type Position = z.infer<typeof Position>

/** The range of a batch that was given up. It contains no text of the facts. */
const DeadLetter = z.object({
  id: z.string(),
  persona: z.string(),
  after: Place,
  upTo: Place,
  facts: z.int(),
  attempts: z.int(),
  reason: z.string(),
  /** Epoch ms. */
  at: z.number(),
})
export type DeadLetter = z.infer<typeof DeadLetter>

const Webhook = z.object({
  url: z.string(),
  secret: z.string(),
  /** The secret before a change. Requests are also signed with it until then, in epoch ms. */
  previousSecret: z.object({ secret: z.string(), until: z.number() }).nullable(),
})

export const StoredSubscription = z.object({
  name: z.string(),
  /** Null: all, also those that are created later. */
  personas: z.array(z.string()).nullable(),
  /** Types of facts; null: all. */
  kinds: z.array(z.string()).nullable(),
  /** Whether the text of facts is delivered. */
  words: z.boolean(),
  /** Null: a program pulls the facts. */
  webhook: Webhook.nullable(),
  maxAttempts: z.int(),
  /** Why nothing is delivered until the user resumes it; null if it is active. */
  paused: z.string().nullable(),
  positions: z.array(z.tuple([z.string(), Position])),
  dead: z.array(DeadLetter),
})
export type StoredSubscription = z.infer<typeof StoredSubscription>

/** A subscription in memory. The parts that change often are mutable. */
export interface Subscription
  extends Pick<StoredSubscription, 'name' | 'personas' | 'kinds' | 'words' | 'webhook' | 'maxAttempts'> {
  paused: string | null
  readonly positions: Map<string, Position>
  dead: DeadLetter[]
}

export const restoreSubscription = (storedSubscription: StoredSubscription): Subscription => ({
  ...storedSubscription,
  positions: new Map(storedSubscription.positions),
})

export const toStored = (subscription: Subscription): StoredSubscription => ({
  ...subscription,
  positions: [...subscription.positions],
})

/** The position before the first fact. */
export const firstPlace: Place = { seq: 0, hash: '0'.repeat(64) }

export const isSubscribedTo = ({ personas }: Pick<Subscription, 'personas'>, id: string): boolean =>
  personas === null || personas.includes(id)

export const wantsKind = ({ kinds }: Pick<Subscription, 'kinds'>, type: string): boolean =>
  kinds === null || kinds.includes(type)
