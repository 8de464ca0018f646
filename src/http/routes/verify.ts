/** POST /api/persona/{persona_id}/verify */

import * as z from 'zod'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { verifyLife } from '../../commands/journal.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'

/**
 * `head` is the chain hash of the last good record, in hex. `first_bad` is the position of the first record
 * that is missing or was altered.
 */
const Verified = z
  .object({
    events: z.int(),
    head: z.string(),
    intact: z.boolean(),
    first_bad: z.int().nullable(),
    media: z
      .object({
        checked: z.int(),
        unhashed: z.int().describe('Files whose hash no fact contains.'),
        missing: z.array(z.string()).readonly(),
        damaged: z.array(z.string()).readonly(),
      })
      .nullable()
      .describe('Its files. Null if the journal is damaged.'),
    snapshots: z
      .object({ checked: z.int(), wrong: z.array(z.int()).readonly() })
      .nullable()
      .describe('Snapshots, each compared with a replay of all facts. Null unless `deep` is set.'),
    diaries: z.array(
      z.object({
        time: z.string(),
        events: z.int(),
        bytes: z.int(),
        readable: z.boolean().describe('As far as this can be checked without the recovery phrase.'),
        current: z.boolean().describe('Encrypted for the current recovery phrase.'),
      }),
    ),
  })
  .meta({ id: 'Verified' })

export const verifyJournalRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/verify',
  summary: 'Recompute the hash chain of the whole journal, and check the files next to it',
  description: 'Reads every record and computes its hash. Returns the position of the first bad one.',
  tag: 'Health',
  query: z.object({
    deep: z.boolean().optional().describe('Compare every snapshot with a replay of all facts.'),
  }),
  reply: Verified,
  refuses: ['persona_unknown', 'journal_unavailable', 'cut_short'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, query: { deep = false }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const verdict = await verifyLife(deps, id, { deep }, signal)
        const { events, head, intact, firstBad, media, snapshots, diaries } = verdict
        return {
          events,
          head: head.hash,
          intact,
          first_bad: firstBad,
          media,
          snapshots,
          diaries: diaries.map(({ made: createdAt, seq, bytes, readable, current }) => ({
            time: isoIn(deps.clock.zone, createdAt),
            events: seq,
            bytes,
            readable,
            current,
          })),
        }
      }),
})
