/** The rules of her days: what going over the talk may change, and how she sleeps. */

import type { Origin, Seq } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { evolveKnowledge, type Forgotten, type Knowledge, plainly, type Statement } from '../../projections/knowledge.ts'
import { someValue, valueAt, valuesOf } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import { callFacts } from './call-facts.ts'
import type { BeginSleep, CloseDays, Consolidate, Decision, EndSleep, FeedHistory, Lesson } from './commands.ts'
import { accept, refuse } from './decision.ts'

/** What the calls taught, what is carried on, and how far: in one commit, or a crash would teach it twice. */
export const consolidate = (persona: Persona, command: Consolidate): Decision => {
  const { after, upTo, lessons, calls } = command
  const { days } = persona
  if (days.consolidated !== after) return refuse({ code: 'recorded_already' })
  const carry = command.carry ?? days.carried?.text ?? ''
  const summary = command.summary ?? days.summary?.text ?? ''
  // Words that others had a part in stay so, however often she puts them in her own.
  const foreign = command.foreign || (days.foreign && carry + summary !== '')
  const learned: PersonaEvent[] = []
  let { knowledge } = persona
  for (const lesson of lessons) {
    const fact = factOf(knowledge, lesson)
    if (!fact) continue
    learned.push(fact)
    knowledge = told(knowledge, fact)
  }
  return accept(...callFacts(persona, calls, ofDays), ...learned, { type: 'ContextCarried', after, upTo, carry, summary, foreign })
}

/** What somebody else was told is no source of hers: of it, nothing that was to be forgotten is learned. */
export const feedHistory = ({ knowledge: known }: Persona, { history, lessons }: FeedHistory): Decision => {
  const learned: PersonaEvent[] = []
  let knowledge = known
  for (const lesson of lessons) {
    const fact = keep(knowledge, lesson, 'history')
    if (!fact) continue
    learned.push(fact)
    knowledge = told(knowledge, fact)
  }
  return accept({ type: 'HistoryFed', ...history }, ...learned)
}

export const ofDays = { turn: null, step: null, cause: 'consolidation' } as const

/** Null for what changes nothing, or must not. */
const factOf = (knowledge: Knowledge, lesson: Lesson): PersonaEvent | null => {
  if (lesson.op === 'keep') return keep(knowledge, lesson, 'consolidation')
  const known = valueAt(knowledge.statements, lesson.id)
  if (!known) return null
  if (lesson.op === 'forget') return known.origin === 'person' ? null : { type: 'MemoryForgotten', id: known.id, why: lesson.why || null }
  if (Math.max(...lesson.sources) < newestOf(known)) return null
  if (plainly(known.text) === plainly(lesson.text)) return null
  if (isForgotten(knowledge, lesson.text, lesson.sources)) return null
  const sources = [...new Set([...known.sources, ...lesson.sources])].slice(-mostSources)
  return { type: 'MemoryRevised', id: known.id, text: lesson.text, sources, origin: 'consolidation' }
}

/** What a statement gives way to: words no older than those it comes from; what the person wrote by hand, only to what they said later. */
const newestOf = ({ origin, seq, sources }: Statement): Seq => (origin === 'person' ? seq + 1 : Math.max(0, ...sources))

const mostSources = 50

const keep = (
  knowledge: Knowledge,
  { id, document, text, sources }: Extract<Lesson, { op: 'keep' }>,
  origin: Extract<Origin, 'consolidation' | 'history'>,
): PersonaEvent | null => {
  const words = plainly(text)
  const known = someValue(knowledge.statements, (statement) => statement.document === document && plainOf(statement) === words)
  if (known || valueAt(knowledge.statements, id) || isForgotten(knowledge, text, sources)) return null
  return { type: 'MemoryKept', id, document, text, sources: sources.slice(-mostSources), origin }
}

/** ⏱ After a long history each lesson is compared with thousands of statements: 2.5 µs for each of them where nothing is remembered. */
const plainOf = (statement: Statement): string => {
  const words = plainWords.get(statement) ?? plainly(statement.text)
  plainWords.set(statement, words)
  return words
}
const plainWords = new WeakMap<Statement, string>()

/** What was to be forgotten is not learned again: neither from the same source in other words, nor in the same words from anything said before. */
const isForgotten = ({ forgotten }: Knowledge, text: string, sources: readonly Seq[]): boolean => {
  const all = valuesOf(forgotten)
  const hidden = new Set(all.flatMap((statement) => statement.sources))
  if (sources.length > 0 && sources.every((seq) => hidden.has(seq))) return true
  return all.some((statement) => plainly(statement.text) === plainly(text) && !sources.some((seq) => saysAnew(seq, statement)))
}

const saysAnew = (seq: Seq, { forgotten }: Forgotten): boolean => seq > forgotten

/** What one lesson says holds for the next. */
const told = (knowledge: Knowledge, fact: PersonaEvent): Knowledge =>
  evolveKnowledge(knowledge, { seq: Number.MAX_SAFE_INTEGER, at: 0, event: fact })

export const beginSleep = ({ days, talk, life }: Persona, { by }: BeginSleep): Decision => {
  if (talk.turn) return refuse({ code: 'turn_over' })
  // One that an earlier life left open is run again.
  if (days.sleeping !== null && days.sleeping > life.woke) return refuse({ code: 'asleep' })
  return accept({ type: 'SleepBegan', life: life.life, by })
}

export const closeDays = ({ days: { closed } }: Persona, { days }: CloseDays): Decision => {
  if (days.some(({ upTo }, n) => upTo <= (days[n - 1]?.upTo ?? closed))) return refuse({ code: 'recorded_already' })
  return accept(...days.map((day, n) => ({ type: 'DayClosed', after: days[n - 1]?.upTo ?? closed, ...day }) as const))
}

export const endSleep = ({ days, life }: Persona, { outcome, reason }: EndSleep): Decision =>
  days.sleeping === null ? refuse({ code: 'recorded_already' }) : accept({ type: 'SleepEnded', life: life.life, outcome, reason })
