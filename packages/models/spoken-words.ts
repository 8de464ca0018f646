/**
 * Removes the thinking that some models write before their answer, between <think> and </think>. With some
 * chat templates, the answer has only the closing tag; then the text before it is thinking.
 */

export interface SpokenWords {
  /** Takes a piece of the answer and returns the text that is certainly not thinking. */
  next(text: string): string
  end(): string
  /** Returns true once if the text returned before the last call of `next` was thinking. */
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

  /** Returns text up to a closing tag without an opening one. Holds back a possible start of the tag. */
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
    // Avoids scanning the leading blanks again for every piece.
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
    // Removes the blank line after the thinking.
    held = held.trimStart()
    return held ? speak(held) : ''
  }
  const speak = (text: string): string => {
    if (state === 'after') spokeThought = true
    state = 'speaking'
    held = ''
    return speakOn(text)
  }
  // Unfinished thinking is not an answer.
  const end = () => (state === 'before' ? blank + held : state === 'speaking' ? held : '')
  return { next, end, takeVoided }
}

/** Ignores a quoted tag. */
const loneClosing = /(?<!["'`“«])<\/think>/

/**
 * Returns the number of UTF-16 units at the end that may start a closing tag, plus the character before it.
 */
const heldBack = (text: string): number => {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--)
    if (closing.startsWith(text.slice(-length))) return Math.min(length + 1, text.length)
  return 0
}
