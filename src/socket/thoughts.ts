/**
 * What is under way and in no journal: the words of the step it is thinking and whether it types, kept for
 * whoever connects in the middle.
 */

import type { Channel, PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Committed, Sign } from '../bus.ts'
import { deltaFrame, type PersonaFrame, type SignOf, typingFrame } from './frames.ts'

/** A place in its thinking: turns and steps only count up. */
export interface Step {
  readonly turn: Seq | 0
  readonly step: number
}

export interface Thoughts {
  heed(committed: Committed): void
  sign(sign: Sign): void
  /**
   * What a listener who has seen everything up to the end of `seen` must hear before the next sign makes
   * sense to it.
   */
  soFar(id: PersonaId, seen: Step, time: string): readonly PersonaFrame[]
}

interface Words extends Step {
  readonly channel: Channel | null
  readonly turn: Seq
  /** Null when they are too many to keep: who comes now waits for the message itself. */
  readonly text: string | null
}

/** UTF-16 units of one step. */
const mostWords = 1024 * 1024

export const unbegun: Step = { turn: 0, step: 0 }

export const createThoughts = (): Thoughts => {
  const words = new Map<PersonaId, Words>()
  const typing = new Set<PersonaId>()

  const thought = (sign: SignOf<'delta'>) => {
    const { channel, turn, step } = sign
    words.set(sign.id, { channel, turn, step, text: grown(words.get(sign.id), sign) })
  }

  const heedEvent = (id: PersonaId, event: PersonaEvent) => {
    if (event.type === 'Stopped' || event.type === 'PersonaDeleted') typing.delete(id)
    const current = words.get(id)
    if (current && (!goesOn(event) || reached(current, endOf(event)))) words.delete(id)
  }

  return {
    heed: ({ id, entries }) => {
      // Most personas are silent most of the time: nothing of theirs is decoded here.
      if (words.has(id) || typing.has(id)) for (const { event } of entries) heedEvent(id, event)
    },
    sign: (sign) => {
      if (sign.type === 'delta') thought(sign)
      if (sign.type !== 'typing') return
      if (sign.on) typing.add(sign.id)
      else typing.delete(sign.id)
    },
    soFar: (id, seen, time) => {
      const current = words.get(id)
      const frames = typing.has(id) ? [typingFrame(id, true, time)] : []
      if (!current?.text || reached(current, seen)) return frames
      const { channel, turn, step, text } = current
      return [...frames, deltaFrame({ type: 'delta', id, channel, turn, step, offset: 0, delta: text }, time)]
    },
  }
}

/** The last step that a fact brings to its end. */
export const endOf = (event: PersonaEvent): Step => {
  if (event.type === 'TurnEnded') return { turn: event.turn, step: Number.POSITIVE_INFINITY }
  if (event.type === 'ModelAnswered' && event.cause === 'turn' && event.turn !== null && event.step !== null)
    return { turn: event.turn, step: event.step }
  if (event.type === 'MessageSpoken' && event.turn !== null)
    return { turn: event.turn, step: event.step ?? 0 }
  return unbegun
}

export const later = (a: Step, b: Step): Step => (reached(a, b) ? b : a)

const reached = ({ turn, step }: Step, end: Step): boolean =>
  turn < end.turn || (turn === end.turn && step <= end.step)

/** A life that ends takes its half-thought words with it: the next one thinks the step anew. */
const goesOn = ({ type }: PersonaEvent): boolean =>
  type !== 'Stopped' && type !== 'Woke' && type !== 'PersonaDeleted'

const grown = (words: Words | undefined, { turn, step, offset, delta }: SignOf<'delta'>): string | null => {
  if (offset === 0) return within(delta)
  if (words?.turn !== turn || words.step !== step || words.text === null || offset > words.text.length)
    return null
  return within(words.text.slice(0, offset) + delta)
}

const within = (text: string): string | null => (text.length > mostWords ? null : text)
