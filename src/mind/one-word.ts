/** Whether a Mind answers at all: asked for one word, streamed and without tools, the way a turn asks it. */
import { type Mind, MindError } from '../../packages/models/mind.ts'
import { think } from './think.ts'

export const oneWordAsked = 'Say one word.'

/** Resolves once the answer has come to its end. Throws `MindError`, or the signal's reason. */
export const askOneWord = async (mind: Mind, signal: AbortSignal): Promise<void> => {
  try {
    const asked = { system: '', messages: [{ role: 'user', content: oneWordAsked } as const], tools: [] }
    await think(mind, { ...asked, data: () => ({ kind: 'question', words: oneWordAsked }) }, signal, 2)
  } catch (error) {
    // What is refused for these words is refused by somebody who is there.
    if (!(error instanceof MindError && error.kind === 'refused')) throw error
  }
}
