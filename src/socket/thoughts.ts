/** Keeps the unfinished text and the typing state of each persona, for clients that connect meanwhile. */

import type { Channel, PersonaId, Seq } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { PersonaCommit, Sign } from '../bus.ts'
import { deltaFrame, type PersonaFrame, type SignOf, typingFrame } from './frames.ts'

/** Turn and step. Both only increase. */
export interface Step {
  readonly turn: Seq | 0
  readonly step: number
}

export interface Thoughts {
  onCommit(commit: PersonaCommit): void
  sign(sign: Sign): void
  /**
   * Returns the frames that a listener needs before the next sign, if it has seen everything up to `seen`.
   */
  soFar(id: PersonaId, lastStep: Step, time: string): readonly PersonaFrame[]
}

interface Words extends Step {
  readonly channel: Channel | null
  readonly turn: Seq
  /** Null if it is too long to keep. New listeners then wait for the message. */
  readonly text: string | null
}

/** Per step, in UTF-16 units. */
const maxTextLength = 1024 * 1024

export const noStep: Step = { turn: 0, step: 0 }

export const createThoughts = (): Thoughts => {
  const words = new Map<PersonaId, Words>()
  const typing = new Set<PersonaId>()

  const publishThought = (sign: SignOf<'delta'>) => {
    const { channel, turn, step } = sign
    words.set(sign.id, { channel, turn, step, text: appendDelta(words.get(sign.id), sign) })
  }

  const heedEvent = (id: PersonaId, event: PersonaEvent) => {
    if (event.type === 'Stopped' || event.type === 'PersonaDeleted') typing.delete(id)
    const current = words.get(id)
    if (current && (!goesOn(event) || hasReached(current, getEndStep(event)))) words.delete(id)
  }

  return {
    onCommit: ({ id, entries }) => {
      // Avoids decoding facts of silent personas.
      if (words.has(id) || typing.has(id)) for (const { event } of entries) heedEvent(id, event)
    },
    sign: (sign) => {
      if (sign.type === 'delta') publishThought(sign)
      if (sign.type !== 'typing') return
      if (sign.on) typing.add(sign.id)
      else typing.delete(sign.id)
    },
    soFar: (id, lastStep, time) => {
      const current = words.get(id)
      const frames = typing.has(id) ? [typingFrame(id, true, time)] : []
      if (!current?.text || hasReached(current, lastStep)) return frames
      const { channel, turn, step, text } = current
      return [...frames, deltaFrame({ type: 'delta', id, channel, turn, step, offset: 0, delta: text }, time)]
    },
  }
}

/** Returns the last step that a fact ends. */
export const getEndStep = (event: PersonaEvent): Step => {
  if (event.type === 'TurnEnded') return { turn: event.turn, step: Number.POSITIVE_INFINITY }
  if (event.type === 'ModelAnswered' && event.cause === 'turn' && event.turn !== null && event.step !== null)
    return { turn: event.turn, step: event.step }
  if (event.type === 'MessageSpoken' && event.turn !== null)
    return { turn: event.turn, step: event.step ?? 0 }
  return noStep
}

export const laterStep = (a: Step, b: Step): Step => (hasReached(a, b) ? b : a)

const hasReached = ({ turn, step }: Step, end: Step): boolean =>
  turn < end.turn || (turn === end.turn && step <= end.step)

/** The end of a life discards unfinished text: the next life repeats the step. */
const goesOn = ({ type }: PersonaEvent): boolean =>
  type !== 'Stopped' && type !== 'Woke' && type !== 'PersonaDeleted'

const appendDelta = (
  words: Words | undefined,
  { turn, step, offset, delta }: SignOf<'delta'>,
): string | null => {
  if (offset === 0) return limitLength(delta)
  if (words?.turn !== turn || words.step !== step || words.text === null || offset > words.text.length)
    return null
  return limitLength(words.text.slice(0, offset) + delta)
}

const limitLength = (text: string): string | null => (text.length > maxTextLength ? null : text)
