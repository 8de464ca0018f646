/** Reads the text of an answer: removes thinking and extracts tool calls that are written as text. */
import type { Call } from '../../facts/fact-values.ts'
import type { ToolSpec } from './mind.ts'
import { createSpokenWords, type SpokenWords } from './spoken-words.ts'
import { createWrittenCalls, type WrittenCall } from './written-calls.ts'

export interface AnswerText extends SpokenWords {
  /**
   * Returns the calls in the text. Some servers parse a call and also leave its text in the answer, so the
   * calls in `parsed` are omitted.
   */
  calls(parsedCalls: readonly Omit<Call, 'id'>[]): readonly WrittenCall[]
}

/** `tools`: those that the request offered. */
export const createAnswerText = (tools: readonly ToolSpec[]): AnswerText => {
  const spokenWords = createSpokenWords()
  let writtenCalls = createWrittenCalls(tools)
  let isVoided = false
  let hasEnded = false
  return {
    next: (text) => {
      const words = spokenWords.next(text)
      if (spokenWords.takeVoided()) {
        isVoided = true
        writtenCalls = createWrittenCalls(tools)
      }
      return writtenCalls.next(words)
    },
    end: () => {
      if (hasEnded) return ''
      hasEnded = true
      return writtenCalls.next(spokenWords.end()) + writtenCalls.end()
    },
    takeVoided: () => {
      const wasVoided = isVoided
      isVoided = false
      return wasVoided
    },
    calls: (parsedCalls) => {
      const toKey = ({ name, input }: Omit<Call, 'id'>) => JSON.stringify([name, input])
      const keys = new Set(parsedCalls.map(toKey))
      return writtenCalls.calls().filter((call) => !keys.has(toKey(call)))
    },
  }
}
