/** POST /api/persona/{persona_id}/phrase/confirm */
import * as z from 'zod'
import { confirmPhrase } from '../../commands/diary.ts'
import { route } from '../route.ts'
import { PhraseState, toPhraseState } from '../schema/phrase-state.ts'

export const phraseConfirmedRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/phrase/confirm',
  summary: 'Confirm that the user has the recovery phrase',
  description:
    'Stored with the persona until the phrase is renewed. Never send the words. `recipient` identifies the phrase, so that an older one confirms nothing.',
  tag: 'Diaries',
  body: z.object({ recipient: z.string().optional() }).meta({ id: 'PhraseConfirmRequest' }),
  reply: PhraseState,
  refuses: ['persona_unknown', 'phrase_changed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { recipient } }) =>
      toPhraseState(await confirmPhrase(deps, id, recipient)),
})
