/** The vocabulary of facts, one row per fact. A journal contains no others. */
import {
  defineVocabulary,
  type FactsOf,
  isKnown as isKnownFact,
  type Cause as PlainCause,
  type Vocabulary,
} from '../journal/log/vocabulary.ts'
import { calendarFacts } from './calendar.ts'
import { channelFacts } from './channels.ts'
import { indexes, type Kind, type StatePart, type Traits, type Wish } from './fact.ts'
import { Cause } from './fact-values.ts'
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
type Events = FactsOf<Facts>
export type EventOf<T extends EventType> = Events[T]
export type PersonaEvent = Events[EventType]

/** The types of a persona's journal. */
export interface PersonaTypes {
  readonly fact: PersonaEvent
  readonly cause: Cause
  readonly index: Kind
}

const authors = new Set<unknown>(Cause.shape.by.options)

/** Hand-written, because a schema takes longer than decoding the record (measured). */
const isCause = (cause: PlainCause): boolean => {
  for (const name in cause) if (!isCauseField(name, cause[name])) return false
  return authors.has(cause.by)
}

const isCauseField = (name: string, value: unknown): boolean => {
  if (name === 'by') return true
  if (name === 'life') return typeof value === 'number'
  return (name === 'turn' || name === 'undoes') && typeof value === 'number' && value > 0
}

export const personaVocabulary: Vocabulary<PersonaTypes> = defineVocabulary({
  facts,
  cause: Cause,
  isCause,
  indexes,
  fileHint: 'filename',
  erasedFact: (facts) => ({ type: 'FactsErased', facts: [...facts], withdrawn: [] }),
})

export const isFact = (type: string): type is EventType => Object.hasOwn(facts, type)

export const getTraits = (type: EventType): Traits => facts[type].traits

export const isKnown = (type: string, version: number): type is EventType =>
  isKnownFact(personaVocabulary, type, version)

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
