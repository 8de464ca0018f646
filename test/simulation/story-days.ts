/**
 * Invariants of days in any journal: consolidated talk is learned once and with its sources, and a night is
 * complete.
 */

import type { Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { toPlainText } from '../../projections/knowledge.ts'
import { emptyKeyed, listValues } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'

export interface DayContext {
  /** State before this fact. */
  readonly persona: Persona | undefined
  readonly turn: Seq | null
  /** Messages so far, and how often each was answered. */
  readonly answersBySeq: ReadonlyMap<Seq, { readonly answers: number }>
  /** Entries of the same commit. */
  readonly commit: () => readonly Entry[]
}

type Look = (entry: Entry, context: DayContext) => void

export const createDayStory = (report: (seq: Seq, problem: string) => void): Look => {
  /** The life in which the current sleep began. */
  let asleep: number | null = null

  const lookAtLesson: Look = ({ seq, event }, { persona, answersBySeq: messages, commit }) => {
    if ((event.type !== 'MemoryKept' && event.type !== 'MemoryRevised') || event.origin !== 'consolidation')
      return
    const knownStatements = listValues(persona?.knowledge.statements ?? emptyKeyed)
    const isAlike = knownStatements.some(
      ({ document, text }) =>
        event.type === 'MemoryKept' &&
        document === event.document &&
        toPlainText(text) === toPlainText(event.text),
    )
    if (isAlike) report(seq, `"${event.text}" is learned twice`)
    if (!commit().some(({ type }) => type === 'ContextCarried'))
      report(seq, `"${event.text}" is learned outside a consolidation`)
    for (const source of event.sources)
      if (!messages.has(source)) report(seq, `"${event.text}" comes from ${source}, which is no message`)
  }

  const lookAtTalk: Look = ({ seq, event }, { persona, answersBySeq: messages }) => {
    if (event.type !== 'ContextCarried') return
    const { after, upTo } = event
    if (after !== persona?.days.consolidated)
      report(seq, `the consolidation begins at ${after}, not where the last one ended`)
    if (upTo <= after) report(seq, `the consolidation up to ${upTo} is empty`)
    for (const [at, { answers }] of messages)
      if (at <= upTo && answers === 0) report(seq, `${at} was consolidated before it was answered`)
  }

  const lookAtNight: Look = ({ seq, event, cause }, { persona, turn }) => {
    switch (event.type) {
      case 'SleepBegan':
        if (turn !== null) report(seq, `a sleep begins in turn ${turn}`)
        if (asleep !== null && asleep >= event.life) report(seq, 'a sleep begins within a sleep')
        asleep = event.life
        break
      case 'DayClosed':
        if (asleep === null || asleep !== cause.life) report(seq, 'a day is closed while it is awake')
        if (event.after !== persona?.days.closed)
          report(seq, `a day begins at ${event.after}, not where the last one ended`)
        if (event.upTo <= event.after || event.began > event.ended)
          report(seq, `an empty day is closed at ${event.upTo}`)
        break
      case 'SleepEnded':
        if (asleep !== event.life) report(seq, 'a sleep ends that this life did not begin')
        asleep = null
        break
      default:
    }
  }

  return (entry, context) => {
    lookAtLesson(entry, context)
    lookAtTalk(entry, context)
    lookAtNight(entry, context)
  }
}
