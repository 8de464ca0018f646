/** Shows the state of a recovery phrase without its words. */
import * as z from 'zod'
import type { PhraseState as State } from '../../commands/diary.ts'

export const PhraseState = z
  .object({
    recipient: z.string().describe('The public key derived from the words. Diaries are encrypted for it.'),
    confirmed: z.boolean(),
  })
  .meta({ id: 'PhraseState' })

export const toPhraseState = ({ recipient, phraseConfirmed: confirmed }: State) => ({ recipient, confirmed })
