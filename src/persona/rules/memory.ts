/** Rules of memory: statements and learned instructions. Forgotten statements stay forgotten. */
import type { Document, Origin, Seq, Via } from '../../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../facts/facts.ts'
import { isPeriod } from '../../../packages/kit/time/partial-date.ts'
import {
  countPinned,
  type Knowledge,
  listSelfLines,
  oneLine,
  type Statement,
  toPlainText,
} from '../../../projections/knowledge.ts'
import { isAt, valueAt } from '../../../projections/persistent-map.ts'
import { evolve, type Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife } from './lifecycle.ts'
import { type MergeMemories, mergeMemories } from './merge.ts'
import { callFacts, type OrganCall } from './organ-health.ts'
import { maxPinned, type PinMemory, pinEvents, pinMemory } from './pins.ts'
import {
  isForgotten,
  isKnownMerged,
  knownAs,
  maxSelfLines,
  maxSources,
  type Period,
  periodFields,
  refuseUnfit,
  viaField,
} from './statements.ts'

/** A statement written by hand, kept in a turn, or learned by consolidation. */
export interface KeepMemory extends Period {
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
  /** Whether to pin it. */
  readonly pin?: boolean
}

/** The period replaces the earlier one. */
export interface ReviseMemory extends Period, Pick<KeepMemory, 'id' | 'text' | 'sources' | 'saidIn' | 'via'> {
  readonly type: 'ReviseMemory'
  readonly origin: 'persona' | 'consolidation'
}

export interface ForgetMemory {
  readonly type: 'ForgetMemory'
  readonly id: string
  readonly why: string | null
  /** True if the user did not ask for it. */
  readonly unasked?: boolean
  readonly origin: 'persona' | 'consolidation'
}

/**
 * Corrects, forgets, restores, dates or pins a statement by hand. Null or absent changes nothing. An empty
 * date removes it.
 */
export interface AmendMemory {
  readonly type: 'AmendMemory'
  readonly id: string
  readonly text: string | null
  readonly forgotten: boolean | null
  readonly pinned?: boolean | null
  readonly from?: string | null
  readonly until?: string | null
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
export type Lesson = KeepMemory | ReviseMemory | ForgetMemory | PinMemory | MergeMemories
export type MemoryCommand =
  | Lesson
  | AmendMemory
  | FeedHistory
  | LearnInstruction
  | ReviseInstruction
  | RemoveInstruction

/**
 * The only way to keep a statement. Ignores known statements. Forgotten ones are kept again only if the
 * person says them again.
 */
export const keepMemory = ({ knowledge }: Persona, command: KeepMemory): Decision => {
  const { id, document, sources, origin, via } = command
  const text = oneLine(command.text)
  const refusal = refuseUnfit(text, document)
  if (refusal) return refusal
  // Not a statement of the user, so words of others have no place in it.
  if (document === 'self' && via) return accept()
  const existingStatement = valueAt(knowledge.statements, id) ?? knownAs(knowledge, command)
  if (existingStatement)
    return accept(...(command.pin ? pinEvents(knowledge, existingStatement, true, origin) : []))
  if (origin !== 'person' && isKnownMerged(knowledge, command)) return accept()
  // Writing by hand counts as saying it again.
  if (origin !== 'person' && isForgotten(knowledge, command))
    return refuse({ code: 'statement_forgotten', id })
  if (document === 'self' && isSelfFull(knowledge)) return refuse({ code: 'self_full', most: maxSelfLines })
  const memory = { id, document, text, sources: sources.slice(-maxSources), origin }
  const mayPin = command.pin && !via && countPinned(knowledge) < maxPinned
  return accept(
    { type: 'MemoryKept', ...memory, ...viaField(via), ...periodFields(command) },
    ...(mayPin ? [{ type: 'MemoryPinned', id, pinned: true, origin } as const] : []),
  )
}

const isSelfFull = (knowledge: Knowledge): boolean => listSelfLines(knowledge).length >= maxSelfLines

export const reviseMemory = ({ knowledge }: Persona, command: ReviseMemory): Decision => {
  const { id, origin, via } = command
  const existingStatement = valueAt(knowledge.statements, id)
  if (!existingStatement) return refuse({ code: 'statement_unknown', id })
  const text = oneLine(command.text)
  const refusal = refuseUnfit(text, existingStatement.document)
  if (refusal) return refusal
  const isConsolidation = origin === 'consolidation'
  if (
    isConsolidation &&
    (Math.max(...command.sources) < newestSource(existingStatement) ||
      (toPlainText(existingStatement.text) === toPlainText(text) && !addsDate(existingStatement, command)))
  )
    return accept()
  if (isForgotten(knowledge, command)) return refuse({ code: 'statement_forgotten', id })
  const allSources = [...(isConsolidation ? existingStatement.sources : []), ...command.sources]
  const sources = [...new Set(allSources)].slice(-maxSources)
  // Words of others never replace a statement of the user.
  if (via && !existingStatement.via) return accept()
  return accept({
    type: 'MemoryRevised',
    id,
    text,
    sources,
    origin,
    ...viaField(via),
    ...periodFields(command),
  })
}

const addsDate = (statement: Statement, { from, until }: Period): boolean =>
  Boolean((from && from !== statement.from) || (until && until !== statement.until))

const forgetMemory = ({ knowledge }: Persona, { id, why, unasked, origin }: ForgetMemory): Decision => {
  const existingStatement = valueAt(knowledge.statements, id)
  if (!existingStatement) return refuse({ code: 'statement_unknown', id })
  if (origin === 'consolidation' && existingStatement.origin === 'person') return accept()
  return accept({ type: 'MemoryForgotten', id, why: why || null, ...(unasked && { unasked }) })
}

/** A corrected text becomes the user's own. All other changes keep its origin. */
const amendMemory = (persona: Persona, command: AmendMemory): Decision => {
  const { knowledge } = persona
  const { id, text, forgotten, pinned = null } = command
  const forgottenStatement = valueAt(knowledge.forgotten, id)
  const statement = valueAt(knowledge.statements, id) ?? forgottenStatement
  if (!statement) return refuse({ code: 'statement_unknown', id })
  const words = text === null ? statement.text : oneLine(text)
  const refusal = text === null ? null : refuseUnfit(words, statement.document)
  if (refusal) return refusal
  const period = amendPeriod(statement, command)
  if (period.from && period.until && !isPeriod(period.from, period.until))
    return refuse({ code: 'period_reversed' })
  const isDated = period.from !== (statement.from ?? null) || period.until !== (statement.until ?? null)
  const isPinning = pinned !== null && !forgotten && pinned !== (statement.pinned ?? false)
  const isPinningPossible = pinned === false || countPinned(knowledge) < maxPinned
  if (isPinning && !isPinningPossible) return refuse({ code: 'pins_full', most: maxPinned })
  const pinEvent = { type: 'MemoryPinned', id, pinned: pinned === true, origin: 'person' } as const
  if (forgottenStatement) {
    const changes = text !== null || isDated || pinned === true
    if (forgotten !== false) return changes ? refuse({ code: 'statement_forgotten', id }) : accept()
    if (statement.document === 'self' && isSelfFull(knowledge))
      return refuse({ code: 'self_full', most: maxSelfLines })
    return accept(toRestored({ ...forgottenStatement, ...period }, words), ...(pinned ? [pinEvent] : []))
  }
  const events: PersonaEvent[] = []
  const isSameText = words === statement.text
  if (!isSameText || isDated)
    events.push({
      type: 'MemoryRevised',
      id,
      text: words,
      sources: [...statement.sources],
      origin: isSameText ? statement.origin : 'person',
      ...(isSameText ? viaField(statement.via) : {}),
      ...periodFields(period),
    })
  if (isPinning) events.push(pinEvent)
  if (forgotten) events.push({ type: 'MemoryForgotten', id, why: null })
  return accept(...events)
}

const amendPeriod = (statement: Statement, { from = null, until = null }: AmendMemory) => ({
  from: (from === null ? statement.from : from) || null,
  until: (until === null ? statement.until : until) || null,
})

const changeInstruction = ({ knowledge }: Persona, id: string, event: PersonaEvent): Decision =>
  isAt(knowledge.instructions, id) ? accept(event) : refuse({ code: 'instruction_unknown', id })

export const memoryRules: Rules<MemoryCommand> = {
  KeepMemory: keepMemory,
  ReviseMemory: reviseMemory,
  ForgetMemory: forgetMemory,
  PinMemory: pinMemory,
  MergeMemories: mergeMemories,
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
  { id, document, text, sources, origin, via, from, until }: Statement,
  words: string,
): PersonaEvent => ({
  type: 'MemoryRestored',
  id,
  document,
  text: words,
  sources: [...sources],
  origin: words === text ? origin : 'person',
  ...(words === text ? viaField(via) : {}),
  ...periodFields({ from: from ?? null, until: until ?? null }),
})

/** A statement is only revised by newer sources; one written by hand, only by later ones. */
const newestSource = ({ origin, seq, sources }: Statement): Seq =>
  origin === 'person' ? seq + 1 : Math.max(0, ...sources)
