/** Answers that consist of several turns, because the user asked for their rest. */
import type { Seq } from '../facts/fact-values.ts'
import type { Entry } from '../facts/persona-journal.ts'
import { inboxKey } from './talk.ts'

/** Returns the continued turn of each turn that continues one. `entries`: in order. */
export const findContinuedTurns = async (entries: AsyncIterable<Entry>): Promise<ReadonlyMap<Seq, Seq>> => {
  const continuedTurns = new Map<Seq, Seq>()
  const requests = new Map<string, { readonly turn: Seq; readonly after: Seq | 0 }>()
  for await (const entry of entries) {
    // Checked first, so that other facts are not decoded.
    if (entry.type !== 'AnswerAsked' && entry.type !== 'TurnBegan') continue
    const { event, seq } = entry
    if (event.type === 'AnswerAsked') {
      const key = inboxKey(event.channel)
      if (event.mode === 'continue') requests.set(key, event)
      else requests.delete(key)
    }
    if (event.type !== 'TurnBegan') continue
    const request = requests.get(inboxKey(event.channel))
    if (request?.after === event.stimuli.after) continuedTurns.set(seq, request.turn)
  }
  return continuedTurns
}

/** Returns the turn that began the answer to which a turn belongs. */
export const findFirstTurn = (continuedTurns: ReadonlyMap<Seq, Seq>, turn: Seq): Seq => {
  const continuedTurn = continuedTurns.get(turn)
  return continuedTurn === undefined || continuedTurn >= turn
    ? turn
    : findFirstTurn(continuedTurns, continuedTurn)
}
