/** The models inside the daemon, by model name. */
import { type Mind, MindError } from '../models/mind.ts'
import { readPromptFiles, takesNothing } from '../models/prompt-files.ts'

/** Loads the model on its first call, which keeps its rules out of the daemon's start. */
const loadOnce = (load: () => Promise<Mind>): (() => Mind) => {
  let mindPromise: Promise<Mind> | undefined
  return () => ({
    async *think(prompt, signal) {
      await readPromptFiles(prompt, takesNothing, 'A mind inside the daemon')
      mindPromise ??= load()
      yield* (await mindPromise).think(prompt, signal)
    },
  })
}

export const embeddedMinds: Readonly<Record<string, () => Mind>> = {
  'embedded/practice': loadOnce(async () => (await import('./practice.ts')).createPractice()),
}

/** Base URL of models that run inside the daemon. */
export const embeddedUrl = 'embedded:'

export const isEmbedded = (model: string): boolean => model.startsWith('embedded/')

/** Throws `MindError` if the model is unknown. */
export const embeddedMind = (model: string): Mind => {
  const create = Object.hasOwn(embeddedMinds, model) ? embeddedMinds[model] : undefined
  if (!create)
    throw new MindError(
      'barred',
      `There is no model "${model}" inside the daemon. There is: ${Object.keys(embeddedMinds).join(', ')}.`,
      { fault: 'model_unknown' },
    )
  return create()
}
