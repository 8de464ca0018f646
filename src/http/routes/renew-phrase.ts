/** POST /api/persona/{persona_id}/phrase */
import * as z from 'zod'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { changePhrase } from '../../commands/diary.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/caller.ts'

const PhraseChanged = z
  .object({
    recovery_phrase: z.string().describe('24 words. Returned only once.'),
    diary: z
      .object({ time: z.string(), events: z.int(), bytes: z.int() })
      .describe('Time of the first diary that they open.'),
    older: z.int().describe('Diaries in the daemon that only an older phrase opens.'),
  })
  .meta({ id: 'PhraseChanged' })

export const renewPhraseRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/phrase',
  summary: 'Create a new recovery phrase, and a diary that it opens',
  description:
    'The words are returned only once. Diaries for the old phrase stay unless their removal is requested.',
  tag: 'Diaries',
  query: z.object({
    remove_older: z.boolean().optional().describe('Remove the diaries that only an older phrase opens.'),
  }),
  reply: PhraseChanged,
  refuses: ['persona_unknown', 'journal_damaged', 'journal_unavailable', 'journal_replaced', 'cut_short'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, query: { remove_older: removeOlder = false }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const { phrase, diary, older } = await changePhrase(deps, id, { removeOlder }, signal)
        return {
          recovery_phrase: phrase,
          diary: { time: isoIn(deps.clock.zone, diary.made), events: diary.seq, bytes: diary.bytes },
          older,
        }
      }),
})
