/** The sound of a provider, and the error if it declines. */
import { MindError } from '../mind.ts'
import { type About, type Refusal, toRefusalError } from './failures.ts'

/** `input` and `output` in tokens, if reported. */
export interface Sound {
  readonly bytes: Uint8Array
  readonly input?: number | null | undefined
  readonly output?: number | null | undefined
}

export const refusedSpeech = (refusal: Refusal, context: About): MindError => {
  const modelError = toRefusalError(refusal, context)
  if (refusal.status >= 500 || !/\bvoice/i.test(refusal.body)) return modelError
  return new MindError(
    modelError.kind,
    `${modelError.message} A voice is chosen behind the model's name, as in "${context.model}#name".`,
  )
}
