/** GET /api/persona/{persona_id}/skills/{name} */
import { filesOfSkill, skillOf } from '../../commands/skills.ts'
import { route } from '../route.ts'
import { toSkillDetails, WholeSkill } from '../schema/skill-shapes.ts'

export const getSkillRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/skills/{name}',
  summary: 'A skill with the text of every file, to review it before it is enabled',
  description: 'A skill whose files are missing or were altered is not returned.',
  tag: 'Tools',
  reply: WholeSkill,
  refuses: ['persona_unknown', 'skill_unknown', 'skill_damaged'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id, name } }) => {
      const skill = await skillOf(personas, id, name)
      return toSkillDetails(skill, await filesOfSkill(personas, id, skill))
    },
})
