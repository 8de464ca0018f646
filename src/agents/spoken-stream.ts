/**
 * Streams the text of a turn to a client: a blank line between steps, no text twice, and a marker where the
 * model had to start again with other text.
 */

export interface SpokenStream {
  /** Sends a text as its own paragraph. */
  say(text: string): void
  /** Begins the next step. */
  step(): void
  /** Takes a delta of the model. `offset` 0 means that the text of the step starts again. */
  words(delta: string, offset: number): void
}

/** The concatenated calls of `tell` give the whole text: the trimmed steps, separated by blank lines. */
export const createSpokenStream = (tell: (text: string) => void): SpokenStream => {
  let begun = false
  /** Text of this step that was already sent. */
  let told = ''
  /** Trailing white space, sent when more text follows. */
  let held = ''
  /** Text since the step started again, while it is still a prefix of the sent text. */
  let again: string | null = null

  const put = (text: string) => {
    if (text === '') return
    const apart = begun && told === '' ? '\n\n' : ''
    begun = true
    told += text
    tell(apart + text)
  }

  const go = (delta: string) => {
    const text = told === '' ? delta.trimStart() : held + delta
    const said = text.trimEnd()
    held = text.slice(said.length)
    put(said)
  }

  const step = () => {
    told = ''
    held = ''
    again = null
  }

  /** After a retry a model mostly generates the same text. Then nothing has to be retracted. */
  const catchUp = (text: string) => {
    const said = text.trimStart()
    if (told.startsWith(said)) {
      again = text
      return
    }
    again = null
    held = ''
    if (said.startsWith(told)) return go(said.slice(told.length))
    step()
    put(anew)
    step()
    go(said)
  }

  return {
    say: (text) => {
      step()
      put(text)
      step()
    },
    step,
    words: (delta, offset) => {
      if (offset === 0 && told !== '') catchUp(delta)
      else if (again !== null) catchUp(again + delta)
      else go(delta)
    },
  }
}

const anew = '[I was interrupted here and start again.]'
