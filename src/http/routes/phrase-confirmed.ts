/** POST /api/persona/{persona_id}/phrase/confirm */
import * as z from 'zod'
import { confirmPhrase } from '../../commands/diary.ts'
import { route } from '../route.ts'
import { PhraseState, toldPhrase } from '../schema/phrase-state.ts'

export const phraseConfirmation = route({
  method: 'post',
  path: '/api/persona/{persona_id}/phrase/confirm',
  summary: 'Say that somebody has the recovery phrase',
  description:
    'Kept with the persona until a new phrase is made. Never send the words: with `recipient` it is said which ones are meant, so that words of before confirm nothing.',
  tag: 'Diaries',
  body: z.object({ recipient: z.string().optional() }).meta({ id: 'PhraseConfirmRequest' }),
  reply: PhraseState,
  refuses: ['persona_unknown', 'phrase_changed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { recipient } }) =>
      toldPhrase(await confirmPhrase(deps, id, recipient)),
})
