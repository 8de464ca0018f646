/**
 * Streams the text of a turn to a client: a blank line between steps, no text twice, and a marker where the
 * model had to start again with other text.
 */

export interface SpokenStream {
  /** Sends a text as its own paragraph. */
  write(text: string): void
  /** Begins the next step. */
  step(): void
  /** Takes a delta of the model. `offset` 0 means that the text of the step starts again. */
  words(delta: string, offset: number): void
}

/** The concatenated calls of `tell` give the whole text: the trimmed steps, separated by blank lines. */
export const createSpokenStream = (onText: (text: string) => void): SpokenStream => {
  let hasSent = false
  /** Text of this step that was already sent. */
  let sentText = ''
  /** Trailing white space, sent when more text follows. */
  let pendingSpace = ''
  /** Text since the step started again, while it is still a prefix of the sent text. */
  let repeatedText: string | null = null

  const send = (text: string) => {
    if (text === '') return
    const separator = hasSent && sentText === '' ? '\n\n' : ''
    hasSent = true
    sentText += text
    onText(separator + text)
  }

  const addDelta = (delta: string) => {
    const text = sentText === '' ? delta.trimStart() : pendingSpace + delta
    const trimmedText = text.trimEnd()
    pendingSpace = text.slice(trimmedText.length)
    send(trimmedText)
  }

  const step = () => {
    sentText = ''
    pendingSpace = ''
    repeatedText = null
  }

  /** After a retry a model mostly generates the same text. Then nothing has to be retracted. */
  const catchUp = (text: string) => {
    const trimmedText = text.trimStart()
    if (sentText.startsWith(trimmedText)) {
      repeatedText = text
      return
    }
    repeatedText = null
    pendingSpace = ''
    if (trimmedText.startsWith(sentText)) return addDelta(trimmedText.slice(sentText.length))
    step()
    send(interruptedMark)
    step()
    addDelta(trimmedText)
  }

  return {
    write: (text) => {
      step()
      send(text)
      step()
    },
    step,
    words: (delta, offset) => {
      if (offset === 0 && sentText !== '') catchUp(delta)
      else if (repeatedText !== null) catchUp(repeatedText + delta)
      else addDelta(delta)
    },
  }
}

const interruptedMark = '[I was interrupted here and start again.]'
