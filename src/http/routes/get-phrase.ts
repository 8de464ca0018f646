/** GET /api/persona/{persona_id}/phrase */
import { phraseOf } from '../../commands/diary.ts'
import { route } from '../route.ts'
import { PhraseState, toPhraseState } from '../schema/phrase-state.ts'

export const getPhraseRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/phrase',
  summary: 'Whether a user has confirmed that they have the recovery phrase',
  description: 'The words themselves are not stored.',
  tag: 'Diaries',
  reply: PhraseState,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    ({ params: { persona_id: id } }) =>
      toPhraseState(phraseOf(deps, id)),
})
