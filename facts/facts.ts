/** The vocabulary of facts, one row per fact. A journal contains no others. */
import { hash } from 'node:crypto'
import * as z from 'zod'
import { calendarFacts } from './calendar.ts'
import { channelFacts } from './channels.ts'
import type { Kind, Payload, StatePart, Traits, Wish } from './fact.ts'
import { importFacts } from './import.ts'
import { initiativeFacts } from './initiative.ts'
import { lifecycleFacts } from './lifecycle.ts'
import { mailFacts } from './mail.ts'
import { memoryFacts } from './memory.ts'
import { personaFacts } from './persona.ts'
import { responseFacts } from './responses.ts'
import { skillFacts } from './skills.ts'
import { talkFacts } from './talk.ts'
import { toolFacts } from './tools.ts'

/** Rows by type. */
export const facts = {
  ...personaFacts,
  ...lifecycleFacts,
  ...channelFacts,
  ...talkFacts,
  ...toolFacts,
  ...skillFacts,
  ...memoryFacts,
  ...calendarFacts,
  ...mailFacts,
  ...initiativeFacts,
  ...importFacts,
  ...responseFacts,
}
type Facts = typeof facts

export type EventType = keyof Facts
type Said<T extends string, Row> = Row extends { readonly shape: infer Shape extends z.ZodRawShape }
  ? z.infer<z.ZodObject<{ type: z.ZodLiteral<T> } & Shape>>
  : never
type Events = { [T in EventType]: Said<T, Facts[T]> }
export type EventOf<T extends EventType> = Events[T]
export type PersonaEvent = Events[EventType]

/** Built when the first fact is checked, to keep about 3 ms (measured) out of each start. */
export const PersonaEvent = z.lazy(() => {
  const schemas = Object.entries(facts).map(([type, { shape }]) =>
    z.strictObject({ type: z.literal(type), ...shape }),
  )
  return z.discriminatedUnion('type', schemas as [(typeof schemas)[0], ...typeof schemas])
  // The list of schemas does not carry the type of each row.
}) as unknown as z.ZodType<PersonaEvent>

export const isFact = (type: string): type is EventType => Object.hasOwn(facts, type)

export const getTraits = (type: EventType): Traits => facts[type].traits

/** Returns whether facts of a type have a `media` field, which may name a file. */
export const mayNameFile = (type: string): type is EventType => isFact(type) && 'media' in facts[type].shape

/** Returns the index that contains a fact; null if there is none or this build does not know the fact. */
export const getKind = (type: string): Kind | null => (isFact(type) ? getTraits(type).index : null)

export const getWish = (event: PersonaEvent): Wish => {
  const { wish } = getTraits(event.type)
  // The row's type is that of the event.
  return typeof wish === 'function' ? wish(event as never) : wish
}

/** The facts of an index, for example messages for `talk`. */
export type EventIn<K extends Kind> = EventOf<
  { [T in EventType]: Facts[T]['traits']['index'] extends K ? T : never }[EventType]
>
export const isIn = <K extends Kind>(kind: K, event: PersonaEvent): event is EventIn<K> =>
  getTraits(event.type).index === kind

/** The facts that change a part of the state. */
export type EventFor<P extends StatePart> = EventOf<
  { [T in EventType]: P extends Facts[T]['traits']['state'][number] ? T : never }[EventType]
>

/** The facts that full-text search finds. */
export type Searchable = EventOf<
  { [T in EventType]: Facts[T]['traits']['search'] extends null ? never : T }[EventType]
>

const versionIn = ({ older = [] }: Traits): number => older.length + 1

export const getVersion = (type: EventType): number => versionIn(getTraits(type))

export const isKnown = (type: string, version: number): type is EventType =>
  isFact(type) && version <= getVersion(type)

/** Converts the payload of an older version to the current one. */
export const upcast = (type: EventType, version: number, payload: Payload): Payload =>
  (getTraits(type).older ?? []).slice(version - 1).reduce((oldPayload, step) => step(oldPayload), payload)

/**
 * Hash over all facts and versions that this build knows. Builds with another vocabulary have another hash.
 */
export const vocabulary: string = hash(
  'sha256',
  Object.entries(facts)
    .map(([type, { traits }]) => `${type}@${versionIn(traits)}`)
    .sort()
    .join(),
)
