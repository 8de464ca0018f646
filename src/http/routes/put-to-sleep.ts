/** POST /api/persona/{persona_id}/sleep */
import * as z from 'zod'
import { sleepPersona } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'

export const putToSleepRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/sleep',
  summary:
    'Let the persona sleep: consolidates the messages, closes the day and verifies the journal. Messages that arrive meanwhile are answered afterwards',
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
