/** DELETE /api/persona/{persona_id}/skills/{name} */
import * as z from 'zod'
import { removeSkill } from '../../commands/skills.ts'
import { route } from '../route.ts'

export const removeSkillRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/skills/{name}',
  summary: 'Remove a skill and its files',
  description: 'Diaries that were written before still contain it.',
  tag: 'Tools',
  reply: z.null(),
  refuses: ['persona_unknown', 'skill_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, name } }) => {
      await removeSkill(deps, id, name)
      return null
    },
})
