/**
 * check_health: reports the persona's state. It is not offered: the result of a tool or a message of the
 * daemon says what failed, and a tool list that depends on failures would change the beginning of every
 * prompt.
 */
import * as z from 'zod'
import { Slot } from '../../../facts/fact-values.ts'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { formatMissingKeys } from '../../persona/refusals.ts'
import { defineTool } from './tool.ts'

export const checkHealth = defineTool({
  name: 'check_health',
  description:
    'How you are: your organs, what waits, when you last slept, and whether your journal is whole.',
  input: z.object({}),
  run: async (_, { persona: { self, life, talk, plans, days }, journal, vitals, zone }) => {
    const { verified, keyless } = await vitals()
    const time = (epoch: number) => isoIn(zone, epoch)
    const organs = Slot.options.map((slot) => {
      const organ = self.organs[slot]
      const failure = life.failed[slot]
      if (!organ) return { organ: slot, state: 'none' }
      if (keyless.includes(slot))
        return { organ: slot, state: 'failing', model: organ.model, reason: formatMissingKeys([slot]) }
      if (!failure) return { organ: slot, state: 'well', model: organ.model }
      return {
        organ: slot,
        state: 'failing',
        model: organ.model,
        reason: failure.reason,
        since: time(failure.since),
      }
    })
    const waitingInboxes = Object.values(talk.inboxes).filter(({ oldest }) => oldest !== null).length
    return {
      ok: true,
      output: {
        status: self.status,
        reason: self.reason,
        organs,
        channels_waiting: waitingInboxes,
        due: plans.due.length,
        slept: days.slept && { at: time(days.slept.at), well: days.slept.well },
        journal: { events: journal.head.seq, found_whole_at: verified === null ? null : time(verified) },
      },
    }
  },
})
