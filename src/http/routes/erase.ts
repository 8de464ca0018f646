/** POST /api/persona/{persona_id}/erase */

import * as z from 'zod'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { eraseWords } from '../../commands/erase.ts'
import { getProblem, toSentence } from '../problems.ts'
import { route } from '../route.ts'

const EraseRequest = z
  .object({
    seqs: z
      .array(z.int().min(1))
      .min(1)
      .max(1000)
      .describe('Positions of the facts, as listed by `journal`.'),
    also: z.boolean().optional().describe('Also erases facts that were derived from them.'),
    diaries: z.boolean().optional().describe('Also removes the diaries in the daemon that contain the text.'),
    forks: z
      .union([z.boolean(), z.array(z.string()).max(1000)])
      .optional()
      .describe(
        'Also erases the text in other personas with the same past: `true` for all of them, or a list of ids.',
      ),
    preview: z.boolean().optional().describe('Erases nothing and returns the facts that would be erased.'),
  })
  .meta({ id: 'EraseRequest' })

const Erased = z
  .object({
    erased: z.array(z.int()),
    also: z
      .array(z.int())
      .describe('Facts that were derived from the same text. Erased if `also` is set, otherwise unchanged.'),
    diaries: z
      .int()
      .describe('Number of diaries in the daemon that contained the text. Removed if `diaries` is set.'),
    held_in: z.array(z.string()).describe('Times when those diaries were written.'),
    forks: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          facts: z.array(z.int()).describe('Positions of the facts that it also has.'),
          outcome: z.enum(['kept', 'erased', 'refused']).describe('Result for the text there.'),
          reason: z.string().nullable().describe('Why it could not be erased there.'),
        }),
      )
      .describe(
        'Other personas with the same facts: its forks, the persona it was forked from, and forks of those.',
      ),
  })
  .meta({ id: 'Erased' })

export const erasureRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/erase',
  summary: 'Erase the text of facts permanently',
  description:
    'Removes the text from the journal, its indexes and its diaries. The hash chain still verifies. With `also`, facts that were derived from them are erased too.',
  tag: 'Journal',
  body: EraseRequest,
  reply: Erased,
  refuses: ['persona_unknown', 'fact_unknown', 'fact_wordless', 'journal_damaged', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body }) => {
      const { seqs, also = false, diaries = false, forks = false, preview = false } = body
      const erasure = await eraseWords(deps, id, { seqs, also, diaries, forks, preview })
      return {
        erased: [...erasure.askedSeqs],
        also: [...erasure.made],
        diaries: erasure.diaries.length,
        held_in: erasure.diaries.map(({ made: createdAt }) => isoIn(deps.clock.zone, createdAt)),
        forks: erasure.forks.map((fork) => ({
          id: fork.id,
          name: fork.name,
          facts: [...fork.seqs],
          outcome: fork.outcome,
          reason: fork.outcome === 'refused' ? toSentence(getProblem(fork.error).detail) : null,
        })),
      }
    },
})
