/** The vocabulary of facts: one row per fact, and nothing else may stand in a journal. */
import { hash } from 'node:crypto'
import * as z from 'zod'
import { bodyFacts } from './body-facts.ts'
import { channelFacts } from './channel-facts.ts'
import type { Kind, Payload, StatePart, Traits, Wish } from './fact.ts'
import { importFacts } from './import-facts.ts'
import { memoryFacts } from './memory-facts.ts'
import { selfFacts } from './self-facts.ts'
import { skillFacts } from './skill-facts.ts'
import { talkFacts } from './talk-facts.ts'
import { timeFacts } from './time-facts.ts'
import { toolFacts } from './tool-facts.ts'

const facts = {
  ...selfFacts,
  ...bodyFacts,
  ...channelFacts,
  ...talkFacts,
  ...toolFacts,
  ...skillFacts,
  ...memoryFacts,
  ...timeFacts,
  ...importFacts,
}
type Facts = typeof facts

export type EventType = keyof Facts
type Said<T extends string, Row> = Row extends { readonly shape: infer Shape extends z.ZodRawShape }
  ? z.infer<z.ZodObject<{ type: z.ZodLiteral<T> } & Shape>>
  : never
type Events = { [T in EventType]: Said<T, Facts[T]> }
export type EventOf<T extends EventType> = Events[T]
export type PersonaEvent = Events[EventType]

/** Made when the first fact is checked: ⏱ some 3 ms, which are those of no start. */
export const PersonaEvent = z.lazy(() => {
  const schemas = Object.entries(facts).map(([type, { shape }]) =>
    z.strictObject({ type: z.literal(type), ...shape }),
  )
  return z.discriminatedUnion('type', schemas as [(typeof schemas)[0], ...typeof schemas])
  // A fact is another type for each row, which a list of schemas cannot say.
}) as unknown as z.ZodType<PersonaEvent>

export const isFact = (type: string): type is EventType => Object.hasOwn(facts, type)

export const traitsOf = (type: EventType): Traits => facts[type].traits

/** Whether facts of a type may name a file, in `media`. */
export const mayNameFile = (type: string): type is EventType => isFact(type) && 'media' in facts[type].shape

/** The index that a fact goes into; null for a fact that this build does not know, too. */
export const kindOf = (type: string): Kind | null => (isFact(type) ? traitsOf(type).index : null)

export const wishOf = (event: PersonaEvent): Wish => {
  const { wish } = traitsOf(event.type)
  // Each row is of the very type that the event has.
  return typeof wish === 'function' ? wish(event as never) : wish
}

/** The facts of an index: messages are those of `talk`. */
export type EventIn<K extends Kind> = EventOf<
  { [T in EventType]: Facts[T]['traits']['index'] extends K ? T : never }[EventType]
>
export const isIn = <K extends Kind>(kind: K, event: PersonaEvent): event is EventIn<K> =>
  traitsOf(event.type).index === kind

/** The facts that change a part of the state. */
export type EventFor<P extends StatePart> = EventOf<
  { [T in EventType]: P extends Facts[T]['traits']['state'][number] ? T : never }[EventType]
>

/** Those whose words can be found. */
export type Searchable = EventOf<
  { [T in EventType]: Facts[T]['traits']['search'] extends null ? never : T }[EventType]
>

const versionIn = ({ older = [] }: Traits): number => older.length + 1

export const versionOf = (type: EventType): number => versionIn(traitsOf(type))

export const isKnown = (type: string, version: number): type is EventType =>
  isFact(type) && version <= versionOf(type)

/** An older spelling of a fact, read as today's. */
export const upcast = (type: EventType, version: number, payload: Payload): Payload =>
  (traitsOf(type).older ?? []).slice(version - 1).reduce((older, step) => step(older), payload)

/** Names every fact this build knows; another build's differs. */
export const vocabulary: string = hash(
  'sha256',
  Object.entries(facts)
    .map(([type, { traits }]) => `${type}@${versionIn(traits)}`)
    .sort()
    .join(),
)
