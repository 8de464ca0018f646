/** Whether a Mind answers at all: asked for one word, streamed and without tools, the way a turn asks it. */
import { type Mind, MindError } from '../models/mind.ts'
import { think } from './think.ts'

export const oneWordAsked = 'Say one word.'

/** Resolves once the answer has come to its end. Throws `MindError`, or the signal's reason. */
export const askOneWord = async (mind: Mind, signal: AbortSignal): Promise<void> => {
  try {
    await think(mind, { system: '', messages: [{ role: 'user', content: oneWordAsked }], tools: [] }, signal, 2)
  } catch (error) {
    // What is refused for these words is refused by somebody who is there.
    if (!(error instanceof MindError && error.kind === 'refused')) throw error
  }
}
