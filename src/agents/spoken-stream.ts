/**
 * Its words on their way to somebody who reads along: paragraphs between its steps, nothing twice, and a
 * sentence where what was said is taken back.
 */

export interface SpokenStream {
  /** Words that stand by themselves. */
  say(text: string): void
  /** Its next step begins. */
  step(): void
  /** As a model gives them: `offset` 0 begins the step anew. */
  words(delta: string, offset: number): void
}

/**
 * All that was told to `tell`, put together, is what it said: its steps trimmed, a blank line between them.
 */
export const createSpokenStream = (tell: (text: string) => void): SpokenStream => {
  let begun = false
  /** What was told of this step. */
  let told = ''
  /** Space at the end of it, told once something follows. */
  let held = ''
  /** What has come since the step began anew, while it may still become what was told. */
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

  /** A model that is asked again mostly says the same: then nothing has to be taken back. */
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

const anew = '[I was interrupted here, and begin anew.]'
