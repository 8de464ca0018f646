/** The last message of the user and its answers, of which only one is shown. */
import type { Message } from '../shared/shapes.ts'

interface LastExchange {
  readonly question: Message
  /** The first turns of the answers that can be shown, the oldest first. */
  readonly turns: readonly number[]
  /** The first turn of the shown answer; null if none is shown. */
  readonly shownTurn: number | null
  /** The last message of the shown answer; null if none is shown. */
  readonly shownEnd: Message | null
}

/**
 * Returns null if the talk ends with something else. `loaded`: in order, with hidden messages.
 * `continuedTurns`: the continued turn of each turn that continues one.
 */
export const findLastExchange = (
  loaded: readonly Message[],
  continuedTurns: ReadonlyMap<number, number> = new Map(),
): LastExchange | null => {
  const place = loaded.findLastIndex(({ role, hidden }) => role === 'person' && hidden === null)
  const question = loaded[place]
  if (!question) return null
  const answers = loaded.slice(place + 1).filter(isAnswer)
  const findFirstTurn = (turn: number): number => {
    const continued = answers.find((answer) => answer.turn === turn)?.continues ?? continuedTurns.get(turn)
    return continued === undefined || continued >= turn ? turn : findFirstTurn(continued)
  }
  const shownEnd = answers.findLast(({ hidden }) => hidden === null) ?? null
  const shownTurn = typeof shownEnd?.turn === 'number' ? findFirstTurn(shownEnd.turn) : null
  const replacedTurns = answers.flatMap(({ turn, hidden }) =>
    hidden === 'replaced' && turn !== null ? findFirstTurn(turn) : [],
  )
  const turns = [...new Set([...replacedTurns, ...(shownTurn === null ? [] : [shownTurn])])]
  return { question, shownTurn, shownEnd, turns: turns.sort((a, b) => a - b) }
}

/** Notices and files are not replaced by another answer. */
const isAnswer = ({ role, turn, notice, asks, media }: Message): boolean =>
  role === 'assistant' && turn !== null && !notice && !asks && media === null
