/** The last message of the user and its answers, of which only one is shown. */
import type { Message } from '../shared/shapes.ts'

interface LastExchange {
  readonly question: Message
  /** Turns of the answers that can be shown, the oldest first. */
  readonly turns: readonly number[]
  /** The turn of the shown answer; null if none is shown. */
  readonly shownTurn: number | null
}

/** Returns null if the talk ends with something else. `loaded`: in order, with hidden messages. */
export const findLastExchange = (loaded: readonly Message[]): LastExchange | null => {
  const place = loaded.findLastIndex(({ role, hidden }) => role === 'person' && hidden === null)
  const question = loaded[place]
  if (!question) return null
  const answers = loaded.slice(place + 1).filter(isAnswer)
  // A continued answer consists of several turns.
  const shownTurn = answers.findLast(({ hidden }) => hidden === null)?.turn ?? null
  const replacedTurns = answers.flatMap(({ turn, hidden }) =>
    hidden === 'replaced' && turn !== null ? turn : [],
  )
  const turns = [...new Set([...replacedTurns, ...(shownTurn === null ? [] : [shownTurn])])]
  return { question, shownTurn, turns: turns.sort((a, b) => a - b) }
}

/** Notices and files are not replaced by another answer. */
const isAnswer = ({ role, turn, notice, asks, media }: Message): boolean =>
  role === 'assistant' && turn !== null && !notice && !asks && media === null
