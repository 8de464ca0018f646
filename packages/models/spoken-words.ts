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
  let bufferedText = ''

  let isVoided = false
  let spokeThought = false
  const takeVoided = () => {
    const wasVoided = isVoided
    isVoided = false
    return wasVoided
  }

  /** Returns text up to a closing tag without an opening one. Holds back a possible start of the tag. */
  const speakOn = (text: string): string => {
    if (spokeThought) return text
    const all = bufferedText + text
    const end = all.search(loneClosing)
    if (end >= 0) {
      spokeThought = true
      isVoided = true
      blank = ''
      state = 'after'
      bufferedText = ''
      return next(all.slice(all.indexOf(closing, end) + closing.length))
    }
    const heldLength = heldBack(all)
    bufferedText = all.slice(all.length - heldLength)
    return all.slice(0, all.length - heldLength)
  }

  const next = (text: string): string => {
    if (state === 'speaking') return speakOn(text)
    // Avoids scanning the leading blanks again for every piece.
    if (state === 'before' && bufferedText === '' && text.trim() === '') {
      blank += text
      return ''
    }
    bufferedText += text
    if (state === 'before') {
      const trimmedText = bufferedText.trimStart()
      if (opening.startsWith(trimmedText.slice(0, opening.length)) && trimmedText.length < opening.length)
        return ''
      if (!trimmedText.startsWith(opening)) return speak(blank + bufferedText)
      state = 'thinking'
    }
    if (state === 'thinking') {
      const end = bufferedText.indexOf(closing)
      if (end < 0) {
        bufferedText = bufferedText.slice(1 - closing.length)
        return ''
      }
      state = 'after'
      bufferedText = bufferedText.slice(end + closing.length)
    }
    // Removes the blank line after the thinking.
    bufferedText = bufferedText.trimStart()
    return bufferedText ? speak(bufferedText) : ''
  }
  const speak = (text: string): string => {
    if (state === 'after') spokeThought = true
    state = 'speaking'
    bufferedText = ''
    return speakOn(text)
  }
  // Unfinished thinking is not an answer.
  const end = () => (state === 'before' ? blank + bufferedText : state === 'speaking' ? bufferedText : '')
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
