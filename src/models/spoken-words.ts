/** Leaves out the thinking that some models write in front of their answer, between <think> and </think>. */

export interface SpokenWords {
  /** A piece of the answer as it comes; gives back what of it is spoken by now. */
  next(text: string): string
  end(): string
}

const opening = '<think>'
const closing = '</think>'

export const createSpokenWords = (): SpokenWords => {
  let state: 'before' | 'thinking' | 'after' | 'speaking' = 'before'
  let blank = ''
  let held = ''

  const next = (text: string): string => {
    if (state === 'speaking') return text
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
    state = 'speaking'
    held = ''
    return text
  }
  // Thinking that never ended is no answer.
  return { next, end: () => (state === 'before' ? blank + held : '') }
}
