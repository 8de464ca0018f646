/** Splits a growing answer into sentences, so that each can be said aloud as soon as it is complete. */
import type { Draft } from './speech.ts'

export const splitSentences = (text: string): readonly string[] =>
  segment(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

const segment = (text: string): readonly string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment)

/** Removes Markdown and code. */
export const toSpeech = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, (match) => /[.!?]$/.exec(match)?.[0] ?? ' ')
    .replace(/^[#>\s|*-]+/gm, '')
    .replace(/[*_`|~]+/g, '')

export interface SentenceFeed {
  /** Passes on the sentences that became complete. */
  readonly grow: (draft: Draft) => void
  /** Passes on the rest of the streamed text, or all of a message that was not streamed. */
  readonly finish: (turn: number | null, content: string) => void
  /** Ignores the answers up to this turn. */
  readonly skip: (turn: number) => void
}

export const createSentenceFeed = (onSentence: (sentence: string) => void): SentenceFeed => {
  /** The step that is being streamed, and the letters of its speech that were passed on. */
  let current: { readonly turn: number; readonly step: number; done: number } | null = null
  let skippedTurn = 0

  const say = (text: string) => splitSentences(text).forEach(onSentence)

  return {
    grow: ({ turn, step, from, words }) => {
      // The beginning was streamed before the page was connected.
      if (turn <= skippedTurn || from > 0) return
      if (current?.turn !== turn || current.step !== step) current = { turn, step, done: 0 }
      const speech = toSpeech(words.trimStart())
      // The model started the text again.
      if (speech.length < current.done) current.done = 0
      const complete = segment(speech.slice(current.done)).slice(0, -1).join('')
      current.done += complete.length
      say(complete)
    },
    finish: (turn, content) => {
      if (turn !== null && turn <= skippedTurn) return
      const done = current !== null && current.turn === turn ? current.done : 0
      if (turn !== null) current = null
      say(toSpeech(content).slice(done))
    },
    skip: (turn) => {
      skippedTurn = Math.max(skippedTurn, turn)
      current = null
    },
  }
}
