/** Routes that start, stop and restart a persona, and send it to sleep. */

import * as z from 'zod'
import { restartPersona, sleepPersona, startPersona, stopPersona } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'

export const startRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/start',
  summary: 'Start the persona',
  description: 'Calls its Mind first. Changes nothing if that does not answer.',
  tag: 'Personas',
  reply: z.object({ status: z.enum(['started', 'already running']) }).meta({ id: 'Started' }),
  refuses: ['persona_unknown', 'model_failed', 'not_started'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      status: (await startPersona(deps, id)) ? ('started' as const) : ('already running' as const),
    }),
})

export const stopRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/stop',
  summary: 'Stop the agent of the persona. Its files and status stay unchanged',
  description: 'A turn in progress is put back and continues at the next start.',
  tag: 'Personas',
  reply: z.object({ status: z.literal('stopped') }).meta({ id: 'Stopped' }),
  refuses: ['not_running'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      await stopPersona(deps, id)
      return { status: 'stopped' as const }
    },
})

export const restartRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/restart',
  summary: 'Rebuild the agent of the persona from disk, or start it if it is not running',
  description: 'Calls its Mind first. Changes nothing if that does not answer.',
  tag: 'Personas',
  reply: z.object({ status: z.literal('restarted') }).meta({ id: 'Restarted' }),
  refuses: ['persona_unknown', 'model_failed', 'not_started'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      await restartPersona(deps, id)
      return { status: 'restarted' as const }
    },
})

export const putToSleepRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/sleep',
  summary:
    'Let the persona sleep: consolidates the messages, closes the day and verifies the journal. A message that arrives meanwhile is answered first',
  description: 'Answers when the persona is awake again.',
  tag: 'Health',
  reply: z.null(),
  refuses: ['not_active', 'sleep_failed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      await sleepPersona(deps, id)
      return null
    },
})
