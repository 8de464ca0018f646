/** Removes from a past view what the user had the persona forget since. */
import type { Call, Seq } from '../../facts/fact-values.ts'
import { type Fields, isObject } from '../../packages/kit/is-object.ts'
import type { Days } from '../../projections/days.ts'
import { isMerged, type Knowledge } from '../../projections/knowledge.ts'
import { isAt, type Keyed, listValues, withoutValue } from '../../projections/persistent-map.ts'
import { foldText, listInstructions } from '../mind/prompt/instructions.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import type { Change, TalkItem, ToolOutput, TurnStep } from '../mind/prompt/talk-items.ts'

export const withoutForgotten = (pastKnowledge: Knowledge, present: Knowledge): Knowledge => ({
  ...pastKnowledge,
  statements: keepShared(pastKnowledge.statements, present.statements),
  instructions: keepShared(pastKnowledge.instructions, present.instructions),
})

const keepShared = <T extends { readonly id: string }>(pastValues: Keyed<T>, present: Keyed<T>): Keyed<T> =>
  listValues(pastValues).reduce(
    (values, { id }) => (isAt(present, id) ? values : withoutValue(values, id)),
    pastValues,
  )

/** Position of the last statement that the user had the persona forget; 0 if there is none. */
const findLastForgotten = (present: Knowledge): Seq | 0 =>
  Math.max(
    0,
    ...listValues(present.forgotten).flatMap((statement) =>
      statement.unasked || isMerged(present, statement) ? [] : statement.forgotten,
    ),
  )

/** Notes are free text, so those from before the last forgotten statement may contain it. */
export const withoutOldNotes = (days: Days, present: Knowledge): Days => {
  const lastSeq = findLastForgotten(present)
  return {
    ...days,
    carried: days.carried && days.carried.seq > lastSeq ? days.carried : null,
    summary: days.summary && days.summary.seq > lastSeq ? days.summary : null,
    past: days.past.filter(({ seq }) => seq > lastSeq),
  }
}

export const withoutForgottenItems = (
  items: readonly TalkItem[],
  present: Knowledge,
): readonly TalkItem[] => {
  const lastSeq = findLastForgotten(present)
  return items.flatMap((item): TalkItem | readonly TalkItem[] => {
    if (item.kind === 'change') {
      const { event, seq } = item.entry
      const isNote = event.type === 'ContextCarried'
      return isForgottenChange(event as Change, present) || (isNote && seq < lastSeq) ? [] : item
    }
    if (item.kind === 'step') {
      const step = withoutForgottenIn(item.step, present)
      return step ? { ...item, step } : []
    }
    if (item.kind !== 'late') return item
    if (isForgottenCall(item.call, item.result, present)) return []
    return { ...item, result: withoutRecalled(item.result, present) }
  })
}

const isForgottenChange = (change: Change, { statements, instructions }: Knowledge): boolean => {
  switch (change.type) {
    case 'MemoryKept':
    case 'MemoryRevised':
    case 'MemoryRestored':
      return !isAt(statements, change.id)
    case 'InstructionLearned':
      return !isAt(instructions, change.id)
    default:
      return false
  }
}

/** Leaves out calls that stored or read something forgotten. Returns null if nothing remains of the step. */
export const withoutForgottenIn = (step: TurnStep, present: Knowledge): TurnStep | null => {
  const { answer, results } = step
  const calls = answer.calls.filter(
    (call) =>
      !isForgottenCall(
        call,
        results.find((result) => result.call === call.id),
        present,
      ),
  )
  if (calls.length === 0 && answer.calls.length > 0 && answer.text.trim() === '') return null
  const keptResults = results
    .filter(({ call }) => calls.some(({ id }) => id === call))
    .map((result) => withoutRecalled(result, present))
  if (calls.length === answer.calls.length) return { ...step, results: keptResults }
  // The opaque data belongs to the whole answer.
  return { ...step, answer: { ...answer, calls }, opaque: undefined, results: keptResults }
}

const isForgottenCall = (call: Call, result: ToolOutput | undefined, present: Knowledge): boolean => {
  const input = toFields(parseInput(call.input))
  const output = toFields(result?.output)
  if (call.name === 'remember') {
    const id = output['kept'] ?? output['revised']
    return typeof id === 'string' && !isAt(present.statements, id)
  }
  if (call.name !== 'instruction') return false
  const titles = [input['intention'], output['intention']].filter((title) => typeof title === 'string')
  const knownTitles = listInstructions(present).map(({ intention }) => foldText(intention))
  return titles.length > 0 && !titles.some((title) => knownTitles.includes(foldText(title)))
}

/** Removes statements that are not known any more, and summaries of days that may contain one. */
const withoutRecalled = (result: ToolOutput, present: Knowledge): ToolOutput => {
  if (result.name !== 'recall' || (result.seq ?? 0) > findLastForgotten(present)) return result
  const output = toFields(result.output)
  const foundEntries = output['found']
  if (!Array.isArray(foundEntries)) return result
  const texts = listValues(present.statements).map(({ text }) => text)
  const isKept = (entry: unknown): boolean => {
    const { role, content } = toFields(entry)
    if (role === 'day') return false
    if (role !== 'memory') return true
    const excerpt = String(content).replace(/^…|…$/g, '')
    return texts.some((text) => text.includes(excerpt))
  }
  return { ...result, output: { ...output, found: foundEntries.filter(isKept) } }
}

const toFields = (value: unknown): Fields => (isObject(value) ? value : {})
