/** check_health: how she is. */
import * as z from 'zod'
import { Slot } from '../../../journal/events.ts'
import { isoWithOffset, offsetAt } from '../../clock.ts'
import { defineTool } from './tool.ts'

export const checkHealth = defineTool({
  name: 'check_health',
  description: 'How you are: each organ, what it last failed with, and what waits.',
  input: z.object({}),
  run: (_, { persona: { self, life, talk, plans }, zone }) => {
    const organs = Slot.options.map((slot) => {
      const organ = self.organs[slot]
      const failure = life.failed[slot]
      if (!organ) return { organ: slot, state: 'none' }
      if (!failure) return { organ: slot, state: 'well', model: organ.model }
      const since = isoWithOffset(failure.since, offsetAt(failure.since, zone))
      return { organ: slot, state: 'failing', model: organ.model, reason: failure.reason, since }
    })
    const waiting = Object.values(talk.inboxes).filter(({ oldest }) => oldest !== null).length
    return { ok: true, output: { status: self.status, organs, channels_waiting: waiting, due: plans.due.length } }
  },
})
