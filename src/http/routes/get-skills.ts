/** GET /api/persona/{persona_id}/skills */
import { skillsOf } from '../../commands/skills.ts'
import { route } from '../route.ts'
import { Skills, toSkillView } from '../schema/skill-shapes.ts'

export const getSkillsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/skills',
  summary: 'The skills of the persona, and those that are offered',
  description:
    'A skill is used after the user has enabled it. Offered skills are in `~/.agents/skills` and belong to the persona after they are added.',
  tag: 'Tools',
  reply: Skills,
  refuses: ['persona_unknown'],
  handle:
    ({ personas, config }) =>
    async ({ params: { persona_id: id } }) => {
      const all = await skillsOf(personas, id)
      const { offeredSkills } = await import('../../skills/offered-skills.ts')
      return { skills: all.map(toSkillView), offered: await offeredSkills(config.skillsFolder) }
    },
})
