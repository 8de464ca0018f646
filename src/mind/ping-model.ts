/** Checks if a model answers at all. Asks for one word, streamed and without tools, as a turn would. */
import { type Mind, MindError } from '../../packages/models/mind.ts'
import { think } from './model-retries.ts'

export const oneWordAsked = 'Say one word.'

/** Resolves when the answer is complete. Throws `MindError`, or the signal's reason. */
export const pingModel = async (mind: Mind, signal: AbortSignal): Promise<void> => {
  try {
    const prompt = { system: '', messages: [{ role: 'user', content: oneWordAsked } as const], tools: [] }
    await think(mind, { ...prompt, data: () => ({ kind: 'question', words: oneWordAsked }) }, signal, 2)
  } catch (error) {
    // A refusal of this prompt shows that the model answers.
    if (!(error instanceof MindError && error.kind === 'refused')) throw error
  }
}
