/**
 * The rules of memory: what may become a statement, by whichever way, and the instructions it has learned.
 * What was to be forgotten stays so.
 */
import type { Document, Origin, Seq, Via } from '../../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../journal/facts/facts.ts'
import {
  type Forgotten,
  type Knowledge,
  oneLine,
  plainly,
  type Statement,
} from '../../../projections/knowledge.ts'
import { findBy, isAt, valueAt, valuesOf } from '../../../projections/persistent-map.ts'
import { evolve, type Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { callFacts, type OfLife, type OrganCall } from './life.ts'

/** A statement written by hand, kept in a turn, or learned by going over what was said. */
export interface KeepMemory {
  readonly type: 'KeepMemory'
  readonly id: string
  readonly document: Document
  readonly text: string
  /**
   * None where it is written by hand; of a history its only source is the fact that it was gone over, which
   * is written with it.
   */
  readonly sources: readonly Seq[]
  /** In which of the sources the person speaks of it, where that is not all of them. */
  readonly saidIn?: readonly Seq[]
  readonly origin: Origin
  /** Where words of others in it came from. */
  readonly via?: Via | null
}

export interface ReviseMemory extends Pick<KeepMemory, 'id' | 'text' | 'sources' | 'saidIn' | 'via'> {
  readonly type: 'ReviseMemory'
  readonly origin: 'persona' | 'consolidation'
}

export interface ForgetMemory {
  readonly type: 'ForgetMemory'
  readonly id: string
  readonly why: string | null
  readonly origin: 'persona' | 'consolidation'
}

/** A statement put right by hand, forgotten, or brought back; null leaves it as it is. */
export interface AmendMemory {
  readonly type: 'AmendMemory'
  readonly id: string
  readonly text: string | null
  readonly forgotten: boolean | null
}

/** A conversation with another AI that was gone over, by which calls, and what it taught. */
export interface FeedHistory extends OfLife {
  readonly type: 'FeedHistory'
  readonly calls: readonly OrganCall[]
  readonly history: Omit<EventOf<'HistoryFed'>, 'type'>
  readonly lessons: readonly KeepMemory[]
}

export interface LearnInstruction {
  readonly type: 'LearnInstruction'
  readonly id: string
  readonly intention: string
  readonly body: string
}
export interface ReviseInstruction {
  readonly type: 'ReviseInstruction'
  readonly id: string
  readonly body: string
}
export interface RemoveInstruction {
  readonly type: 'RemoveInstruction'
  readonly id: string
}

/** What going over the talk may teach. */
export type Lesson = KeepMemory | ReviseMemory | ForgetMemory
export type MemoryCommand =
  | Lesson
  | AmendMemory
  | FeedHistory
  | LearnInstruction
  | ReviseInstruction
  | RemoveInstruction

/** UTF-16 units of one statement. */
export const longestStatement = 300
const mostSources = 50

/**
 * The one way in: what stands there already is not kept twice, and what was to be forgotten is kept again
 * only where the person says it anew.
 */
export const keepMemory = ({ knowledge }: Persona, command: KeepMemory): Decision => {
  const { id, document, sources, origin, via } = command
  const text = oneLine(command.text)
  const bad = unfit(text)
  if (bad) return bad
  if (valueAt(knowledge.statements, id) || knownAs(knowledge, command)) return accept()
  // What the person writes by hand they say anew.
  if (origin !== 'person' && isForgotten(knowledge, command))
    return refuse({ code: 'statement_forgotten', id })
  const kept = { id, document, text, sources: sources.slice(-mostSources), origin }
  return accept({ type: 'MemoryKept', ...kept, ...marked(via) })
}

const marked = (via: Via | null | undefined): { readonly via?: Via } => (via ? { via } : {})

/** The statement that says it already. A person who writes it with another sign means another sign. */
export const knownAs = (
  { statements }: Knowledge,
  { document, text, origin }: Pick<KeepMemory, 'document' | 'text' | 'origin'>,
): Statement | undefined => {
  const words = origin === 'person' ? oneLine(text) : text
  return findBy(
    statements,
    readAlike,
    readAlike({ document, text: words }),
    (one) => origin !== 'person' || one.text === words,
  )
}

/** The same of two statements that say the same. */
const readAlike = ({ document, text }: Pick<Statement, 'document' | 'text'>): string =>
  `${document} ${plainly(text)}`

export const reviseMemory = ({ knowledge }: Persona, command: ReviseMemory): Decision => {
  const { id, origin, via } = command
  const known = valueAt(knowledge.statements, id)
  if (!known) return refuse({ code: 'statement_unknown', id })
  const text = oneLine(command.text)
  const bad = unfit(text)
  if (bad) return bad
  const afterwards = origin === 'consolidation'
  if (afterwards && (Math.max(...command.sources) < newestOf(known) || plainly(known.text) === plainly(text)))
    return accept()
  if (isForgotten(knowledge, command)) return refuse({ code: 'statement_forgotten', id })
  const sources = [...new Set([...(afterwards ? known.sources : []), ...command.sources])].slice(-mostSources)
  // Words of others never replace a statement of the user's own.
  if (via && !known.via) return accept()
  return accept({ type: 'MemoryRevised', id, text, sources, origin, ...marked(via) })
}

const forgetMemory = ({ knowledge }: Persona, { id, why, origin }: ForgetMemory): Decision => {
  const known = valueAt(knowledge.statements, id)
  if (!known) return refuse({ code: 'statement_unknown', id })
  if (origin === 'consolidation' && known.origin === 'person') return accept()
  return accept({ type: 'MemoryForgotten', id, why: why || null })
}

/** Put right by the person, a statement is theirs; forgotten or brought back, it stays whose it was. */
const amendMemory = ({ knowledge }: Persona, { id, text, forgotten }: AmendMemory): Decision => {
  const gone = valueAt(knowledge.forgotten, id)
  const statement = valueAt(knowledge.statements, id) ?? gone
  if (!statement) return refuse({ code: 'statement_unknown', id })
  const words = text === null ? statement.text : oneLine(text)
  const bad = text === null ? null : unfit(words)
  if (bad) return bad
  if (gone) {
    if (forgotten === false) return accept(restored(gone, words))
    return text === null ? accept() : refuse({ code: 'statement_forgotten', id })
  }
  const events: PersonaEvent[] = []
  if (words !== statement.text)
    events.push({ type: 'MemoryRevised', id, text: words, sources: [...statement.sources], origin: 'person' })
  if (forgotten) events.push({ type: 'MemoryForgotten', id, why: null })
  return accept(...events)
}

const ofInstruction = ({ knowledge }: Persona, id: string, event: PersonaEvent): Decision =>
  isAt(knowledge.instructions, id) ? accept(event) : refuse({ code: 'instruction_unknown', id })

export const memoryRules: Rules<MemoryCommand> = {
  KeepMemory: keepMemory,
  ReviseMemory: reviseMemory,
  ForgetMemory: forgetMemory,
  AmendMemory: amendMemory,
  FeedHistory: (persona, { calls, history, lessons }) =>
    accept(
      ...callFacts(persona, calls, { turn: null, step: null, cause: 'history' }),
      { type: 'HistoryFed', ...history },
      ...learn(persona, lessons),
    ),
  LearnInstruction: (_, { id, intention, body }) =>
    accept({ type: 'InstructionLearned', id, intention, body }),
  ReviseInstruction: (persona, { id, body }) =>
    ofInstruction(persona, id, { type: 'InstructionRevised', id, body }),
  RemoveInstruction: (persona, { id }) => ofInstruction(persona, id, { type: 'InstructionRemoved', id }),
}

/**
 * One after the other: what one lesson says holds for the next, and one that is refused by then is passed
 * over.
 */
export const learn = (persona: Persona, lessons: readonly Lesson[]): readonly PersonaEvent[] => {
  const learned: PersonaEvent[] = []
  let now = persona
  for (const lesson of lessons) {
    // Each row takes the command of its own type, which is this one.
    const decision = memoryRules[lesson.type](now, lesson as never)
    for (const event of 'events' in decision ? decision.events : []) {
      learned.push(event)
      now = evolve(now, { seq: Number.MAX_SAFE_INTEGER, at: 0, event })
    }
  }
  return learned
}

const restored = ({ id, document, text, sources, origin, via }: Statement, words: string): PersonaEvent => ({
  ...{ type: 'MemoryRestored', id, document, text: words, sources: [...sources] },
  origin: words === text ? origin : 'person',
  ...(words === text ? marked(via) : {}),
})

/** Letters, figures or a sign that says something. */
const saying = /[\p{L}\p{N}\p{S}]/u

/** Of a statement without words, or one that is too long, why it is refused. */
export const unfit = (text: string): Decision | null => {
  if (!saying.test(text)) return refuse({ code: 'statement_empty' })
  return text.length > longestStatement
    ? refuse({ code: 'too_long', what: 'memory', most: longestStatement })
    : null
}

/**
 * What a statement gives way to: words no older than those it comes from; what the person wrote by hand, only
 * to what they said later.
 */
const newestOf = ({ origin, seq, sources }: Statement): Seq =>
  origin === 'person' ? seq + 1 : Math.max(0, ...sources)

/**
 * What was to be forgotten is not kept again: neither from the same source in other words, nor in the same
 * words from anything said before.
 */
const isForgotten = (
  { forgotten }: Knowledge,
  { text, sources, saidIn = sources }: Pick<KeepMemory, 'text' | 'sources' | 'saidIn'>,
): boolean => {
  const all = valuesOf(forgotten)
  const hidden = new Set(all.flatMap((statement) => statement.sources))
  if (sources.length > 0 && sources.every((seq) => hidden.has(seq))) return true
  const words = plainly(text)
  return all.some(
    (statement) => plainly(statement.text) === words && !saidIn.some((seq) => saysAnew(seq, statement)),
  )
}

const saysAnew = (seq: Seq, { forgotten }: Forgotten): boolean => seq > forgotten
