/** POST /api/persona/{persona_id}/phrase */
import * as z from 'zod'
import type { KeptDiary } from '../../../journal/files/kept-diaries.ts'
import { isoIn } from '../../time/clock.ts'
import { known } from '../known.ts'
import { route } from '../route.ts'
import { stillThere, whileThere } from '../server/caller.ts'

const PhraseChanged = z
  .object({
    recovery_phrase: z.string().describe('24 words, told this once.'),
    diary: z.object({ time: z.string(), events: z.int(), bytes: z.int() }).describe('The first that they open.'),
    older: z.int().describe('Diaries in the house that only an older phrase opens.'),
  })
  .meta({ id: 'PhraseChanged' })

export const phrase = route({
  method: 'post',
  path: '/api/persona/{persona_id}/phrase',
  summary: 'A new recovery phrase, and a diary that it opens',
  query: z.object({
    remove_older: z.boolean().optional().describe('The diaries that only an older phrase opens are removed.'),
  }),
  reply: PhraseChanged,
  refuses: ['persona_unknown', 'journal_damaged', 'journal_unavailable', 'cut_short'],
  handle:
    ({ clock, closing, diaries, inTurn, newPhrase, personas }) =>
    async ({ params: { persona_id: id }, query: { remove_older: removeOlder = false }, response }) => {
      known(personas, id)
      return whileThere(response, closing, (gone) =>
        inTurn(id, async () => {
          known(personas, id)
          const { phrase, recipient } = await newPhrase()
          // The diary first: from the moment on that the phrase is hers, it opens something.
          const diary = await diaries.writeFor(id, recipient, gone)
          await becomeHers(
            diary,
            async () => {
              stillThere(gone)
              await personas.execute(id, { type: 'ChangePhrase', recipient, upTo: diary.seq, bytes: diary.bytes }, 'person')
            },
            diaries.drop,
          )
          if (removeOlder) {
            // Where nobody is told the new words, the old ones must open something.
            stillThere(gone)
            await diaries.removeOthers(id, recipient)
          }
          const older = (await diaries.list(id)).filter((one) => !one.isFor(recipient)).length
          return {
            recovery_phrase: phrase,
            diary: { time: isoIn(clock.zone, diary.made), events: diary.seq, bytes: diary.bytes },
            older,
          }
        }),
      )
    },
})

/** One that nobody will have the words for is worth nothing. */
const becomeHers = async (diary: KeptDiary, act: () => Promise<unknown>, drop: (diary: KeptDiary) => Promise<void>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    await drop(diary).catch(() => undefined)
    throw error
  }
}
