/** The sound of a provider, and the error if it declines. */
import { MindError } from '../mind.ts'
import { type About, type Refusal, toRefusalError } from './failures.ts'

/** `input` and `output` in tokens, if reported. */
export interface Sound {
  readonly bytes: Uint8Array
  readonly input?: number | null | undefined
  readonly output?: number | null | undefined
}

export const refusedSpeech = (refusal: Refusal, about: About): MindError => {
  const trouble = toRefusalError(refusal, about)
  if (refusal.status >= 500 || !/\bvoice/i.test(refusal.body)) return trouble
  return new MindError(
    trouble.kind,
    `${trouble.message} A voice is chosen behind the model's name, as in "${about.model}#name".`,
  )
}
