/**
 * Leaves out the thinking that some models write in front of their answer, between <think> and </think>. Chat
 * templates that write the opening themselves leave only the closing in the answer: then the words before it
 * were a thought.
 */

export interface SpokenWords {
  /** A piece of the answer as it comes; gives back what of it is spoken by now. */
  next(text: string): string
  end(): string
  /** True once, when the words returned before the last call of `next` were a thought. */
  takeVoided(): boolean
}

const opening = '<think>'
const closing = '</think>'

export const createSpokenWords = (): SpokenWords => {
  let state: 'before' | 'thinking' | 'after' | 'speaking' = 'before'
  let blank = ''
  let held = ''

  let voided = false
  let spokeThought = false
  const takeVoided = () => {
    const was = voided
    voided = false
    return was
  }

  /** Speaks on until the first closing that no opening precedes. Holds back what may be the start of one. */
  const speakOn = (text: string): string => {
    if (spokeThought) return text
    const all = held + text
    const end = all.search(loneClosing)
    if (end >= 0) {
      spokeThought = true
      voided = true
      blank = ''
      state = 'after'
      held = ''
      return next(all.slice(all.indexOf(closing, end) + closing.length))
    }
    const kept = heldBack(all)
    held = all.slice(all.length - kept)
    return all.slice(0, all.length - kept)
  }

  const next = (text: string): string => {
    if (state === 'speaking') return speakOn(text)
    // What has come already is not looked through again for every piece.
    if (state === 'before' && held === '' && text.trim() === '') {
      blank += text
      return ''
    }
    held += text
    if (state === 'before') {
      const begun = held.trimStart()
      if (opening.startsWith(begun.slice(0, opening.length)) && begun.length < opening.length) return ''
      if (!begun.startsWith(opening)) return speak(blank + held)
      state = 'thinking'
    }
    if (state === 'thinking') {
      const end = held.indexOf(closing)
      if (end < 0) {
        held = held.slice(1 - closing.length)
        return ''
      }
      state = 'after'
      held = held.slice(end + closing.length)
    }
    // The blank line after a thought belongs to it.
    held = held.trimStart()
    return held ? speak(held) : ''
  }
  const speak = (text: string): string => {
    if (state === 'after') spokeThought = true
    state = 'speaking'
    held = ''
    return speakOn(text)
  }
  // Thinking that never ended is no answer.
  const end = () => (state === 'before' ? blank + held : state === 'speaking' ? held : '')
  return { next, end, takeVoided }
}

/** Not one that the answer quotes. */
const loneClosing = /(?<!["'`“«])<\/think>/

/** How many units at the end may be the start of a closing, with the letter before it. */
const heldBack = (text: string): number => {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--)
    if (closing.startsWith(text.slice(-length))) return Math.min(length + 1, text.length)
  return 0
}
