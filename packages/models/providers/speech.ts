/** What a provider says aloud, and what is said where it would not. */
import { MindError } from '../mind.ts'
import { type About, type Refusal, refusalOf } from './failures.ts'

/** `input` and `output` in tokens, where they are told. */
export interface Sound {
  readonly bytes: Uint8Array
  readonly input?: number | null | undefined
  readonly output?: number | null | undefined
}

export const refusedSpeech = (refusal: Refusal, about: About): MindError => {
  const trouble = refusalOf(refusal, about)
  if (refusal.status >= 500 || !/\bvoice/i.test(refusal.body)) return trouble
  return new MindError(
    trouble.kind,
    `${trouble.message} A voice is chosen behind the model's name, as in "${about.model}#name".`,
  )
}
