/** The models that are served inside the daemon, by the name they are given to an organ. */
import { type Mind, MindError } from '../models/mind.ts'
import { readShown, takesNothing } from '../models/prompt-files.ts'

/** Loaded when it first thinks: the daemon starts without its rules. */
const lazily = (load: () => Promise<Mind>): (() => Mind) => {
  let loaded: Promise<Mind> | undefined
  return () => ({
    async *think(prompt, signal) {
      await readShown(prompt, takesNothing, 'A mind inside the daemon')
      loaded ??= load()
      yield* (await loaded).think(prompt, signal)
    },
  })
}

export const embeddedMinds: Readonly<Record<string, () => Mind>> = {
  'embedded/practice': lazily(async () => (await import('./practice.ts')).createPractice()),
}

/** The address that stands for the daemon itself. */
export const embeddedUrl = 'embedded:'

export const isEmbedded = (model: string): boolean => model.startsWith('embedded/')

/** Throws `MindError` for a name that none of them has. */
export const embeddedMind = (model: string): Mind => {
  const create = Object.hasOwn(embeddedMinds, model) ? embeddedMinds[model] : undefined
  if (!create)
    throw new MindError(
      'barred',
      `There is no model "${model}" inside the daemon. There is: ${Object.keys(embeddedMinds).join(', ')}.`,
    )
  return create()
}
