/** Rules of memory: statements and learned instructions. Forgotten statements stay forgotten. */
import type { Document, Origin, Seq, Via } from '../../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../journal/facts/facts.ts'
import {
  type Forgotten,
  type Knowledge,
  listSelfLines,
  oneLine,
  plainly,
  type Statement,
} from '../../../projections/knowledge.ts'
import { findBy, isAt, listValues, valueAt } from '../../../projections/persistent-map.ts'
import { evolve, type Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { callFacts, type OfLife, type OrganCall } from './life.ts'

/** A statement written by hand, kept in a turn, or learned by consolidation. */
export interface KeepMemory {
  readonly type: 'KeepMemory'
  readonly id: string
  readonly document: Document
  readonly text: string
  /** Empty if written by hand. For an imported history, the HistoryFed fact of the same commit. */
  readonly sources: readonly Seq[]
  /** The sources in which the user said it, if not all. */
  readonly saidIn?: readonly Seq[]
  readonly origin: Origin
  /** Origin of words of others in it. */
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

/** Corrects, forgets or restores a statement by hand. Null changes nothing. */
export interface AmendMemory {
  readonly type: 'AmendMemory'
  readonly id: string
  readonly text: string | null
  readonly forgotten: boolean | null
}

/** Lessons from an imported conversation, and the calls that extracted them. */
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

/** Results of a consolidation. */
export type Lesson = KeepMemory | ReviseMemory | ForgetMemory
export type MemoryCommand =
  | Lesson
  | AmendMemory
  | FeedHistory
  | LearnInstruction
  | ReviseInstruction
  | RemoveInstruction

// In UTF-16 units.
export const maxStatementLength = 300
export const maxSelfLineLength = 200
/** Lines that the persona keeps about itself. All are in the prompt. */
export const maxSelfLines = 20
const maxSources = 50

/**
 * The only way to keep a statement. Ignores known statements. Forgotten ones are kept again only if the
 * person says them again.
 */
export const keepMemory = ({ knowledge }: Persona, command: KeepMemory): Decision => {
  const { id, document, sources, origin, via } = command
  const text = oneLine(command.text)
  const refusal = unfit(text, document)
  if (refusal) return refusal
  // Not a statement of the user, so words of others have no place in it.
  if (document === 'self' && via) return accept()
  if (valueAt(knowledge.statements, id) || knownAs(knowledge, command)) return accept()
  // Writing by hand counts as saying it again.
  if (origin !== 'person' && isForgotten(knowledge, command))
    return refuse({ code: 'statement_forgotten', id })
  if (document === 'self' && isSelfFull(knowledge)) return refuse({ code: 'self_full', most: maxSelfLines })
  const memory = { id, document, text, sources: sources.slice(-maxSources), origin }
  return accept({ type: 'MemoryKept', ...memory, ...viaField(via) })
}

const isSelfFull = (knowledge: Knowledge): boolean => listSelfLines(knowledge).length >= maxSelfLines

const viaField = (via: Via | null | undefined): { readonly via?: Via } => (via ? { via } : {})

/** Returns the known statement with this text. For a person, spelling counts: a changed sign is a change. */
export const knownAs = (
  { statements }: Knowledge,
  { document, text, origin }: Pick<KeepMemory, 'document' | 'text' | 'origin'>,
): Statement | undefined => {
  const words = origin === 'person' ? oneLine(text) : text
  return findBy(
    statements,
    equalityKey,
    equalityKey({ document, text: words }),
    (statement) => origin !== 'person' || statement.text === words,
  )
}

/** Key that is equal for statements with the same text. */
const equalityKey = ({ document, text }: Pick<Statement, 'document' | 'text'>): string =>
  `${document} ${plainly(text)}`

export const reviseMemory = ({ knowledge }: Persona, command: ReviseMemory): Decision => {
  const { id, origin, via } = command
  const known = valueAt(knowledge.statements, id)
  if (!known) return refuse({ code: 'statement_unknown', id })
  const text = oneLine(command.text)
  const refusal = unfit(text, known.document)
  if (refusal) return refusal
  const isConsolidation = origin === 'consolidation'
  if (
    isConsolidation &&
    (Math.max(...command.sources) < newestSource(known) || plainly(known.text) === plainly(text))
  )
    return accept()
  if (isForgotten(knowledge, command)) return refuse({ code: 'statement_forgotten', id })
  const allSources = [...(isConsolidation ? known.sources : []), ...command.sources]
  const sources = [...new Set(allSources)].slice(-maxSources)
  // Words of others never replace a statement of the user.
  if (via && !known.via) return accept()
  return accept({ type: 'MemoryRevised', id, text, sources, origin, ...viaField(via) })
}

const forgetMemory = ({ knowledge }: Persona, { id, why, origin }: ForgetMemory): Decision => {
  const known = valueAt(knowledge.statements, id)
  if (!known) return refuse({ code: 'statement_unknown', id })
  if (origin === 'consolidation' && known.origin === 'person') return accept()
  return accept({ type: 'MemoryForgotten', id, why: why || null })
}

/** A corrected statement becomes the user's own. Forgetting and restoring keep its origin. */
const amendMemory = ({ knowledge }: Persona, { id, text, forgotten }: AmendMemory): Decision => {
  const forgottenStatement = valueAt(knowledge.forgotten, id)
  const statement = valueAt(knowledge.statements, id) ?? forgottenStatement
  if (!statement) return refuse({ code: 'statement_unknown', id })
  const words = text === null ? statement.text : oneLine(text)
  const refusal = text === null ? null : unfit(words, statement.document)
  if (refusal) return refusal
  if (forgottenStatement) {
    if (forgotten === false) {
      if (statement.document === 'self' && isSelfFull(knowledge))
        return refuse({ code: 'self_full', most: maxSelfLines })
      return accept(toRestored(forgottenStatement, words))
    }
    return text === null ? accept() : refuse({ code: 'statement_forgotten', id })
  }
  const events: PersonaEvent[] = []
  if (words !== statement.text)
    events.push({ type: 'MemoryRevised', id, text: words, sources: [...statement.sources], origin: 'person' })
  if (forgotten) events.push({ type: 'MemoryForgotten', id, why: null })
  return accept(...events)
}

const changeInstruction = ({ knowledge }: Persona, id: string, event: PersonaEvent): Decision =>
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
    changeInstruction(persona, id, { type: 'InstructionRevised', id, body }),
  RemoveInstruction: (persona, { id }) => changeInstruction(persona, id, { type: 'InstructionRemoved', id }),
}

/** Applies lessons in order, each on the result of the previous ones. Skips refused ones. */
export const learn = (persona: Persona, lessons: readonly Lesson[]): readonly PersonaEvent[] => {
  const lessonEvents: PersonaEvent[] = []
  let now = persona
  for (const lesson of lessons) {
    // Each rule takes the command of its own type.
    const decision = memoryRules[lesson.type](now, lesson as never)
    for (const event of 'events' in decision ? decision.events : []) {
      lessonEvents.push(event)
      now = evolve(now, { seq: Number.MAX_SAFE_INTEGER, at: 0, event })
    }
  }
  return lessonEvents
}

const toRestored = (
  { id, document, text, sources, origin, via }: Statement,
  words: string,
): PersonaEvent => ({
  type: 'MemoryRestored',
  id,
  document,
  text: words,
  sources: [...sources],
  origin: words === text ? origin : 'person',
  ...(words === text ? viaField(via) : {}),
})

const meaningfulCharacter = /[\p{L}\p{N}\p{S}]/u

/** Returns the refusal of an empty or too long statement, else null. */
export const unfit = (text: string, document: Document): Decision | null => {
  if (!meaningfulCharacter.test(text)) return refuse({ code: 'statement_empty' })
  const most = getMaxLength(document)
  return text.length > most ? refuse({ code: 'too_long', what: 'memory', most }) : null
}

/** Returns the max UTF-16 units of a statement. */
export const getMaxLength = (document: Document): number =>
  document === 'self' ? maxSelfLineLength : maxStatementLength

/** A statement is only revised by newer sources; one written by hand, only by later ones. */
const newestSource = ({ origin, seq, sources }: Statement): Seq =>
  origin === 'person' ? seq + 1 : Math.max(0, ...sources)

/**
 * A forgotten statement does not return from the same sources in other words, nor in the same words from
 * earlier sources.
 */
const isForgotten = (
  { forgotten }: Knowledge,
  { text, sources, saidIn = sources }: Pick<KeepMemory, 'text' | 'sources' | 'saidIn'>,
): boolean => {
  const all = listValues(forgotten)
  const hiddenSources = new Set(all.flatMap((statement) => statement.sources))
  if (sources.length > 0 && sources.every((seq) => hiddenSources.has(seq))) return true
  const words = plainly(text)
  return all.some(
    (statement) => plainly(statement.text) === words && !saidIn.some((seq) => isLater(seq, statement)),
  )
}

const isLater = (seq: Seq, { forgotten }: Forgotten): boolean => seq > forgotten
