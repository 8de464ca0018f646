/** Chooses the profile of a model that has no setting. */
import { PromptProfile } from '../../facts/fact-values.ts'

export const profileSettings = ['auto', ...PromptProfile.options] as const
export type ProfileSetting = (typeof profileSettings)[number]

interface ModelSize {
  readonly model: string
  /** Null: the runtime does not report it. */
  readonly parameters: number | null
  /** The context window in tokens; null: unknown. */
  readonly context: number | null
}

/**
 * Fewer parameters, or a smaller context window in tokens, need the compact profile. The runtime counts
 * exactly: a model of "8B" has 7.6 to 8.2 billion, one of "7B" up to 7.4 billion, or 7.6 with its embeddings.
 */
const minParameters = 7.7e9
const minContext = 16_000

export const chooseProfile = ({ model, parameters, context }: ModelSize): PromptProfile => {
  const count = parametersInName(model) ?? parameters
  const isSmall = count !== null && count < minParameters
  return isSmall || (context !== null && context < minContext) ? 'compact' : 'full'
}

/** Reads the size in names such as `qwen3:4b`, `gemma-3-270m-it` and `gemma3n:e4b`. Null if there is none. */
const parametersInName = (model: string): number | null => {
  const [, number, unit] = /[-_:/]e?(\d{1,4}(?:\.\d{1,2})?)([bm])(?![a-z0-9])/i.exec(model) ?? []
  return number === undefined ? null : Number(number) * (unit?.toLowerCase() === 'm' ? 1e6 : 1e9)
}
