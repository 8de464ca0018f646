/** GET /api/persona/{persona_id}/skills */
import { skillsOf } from '../../commands/skills.ts'
import { route } from '../route.ts'
import { Skills, toldSkill } from '../schema/skill-shapes.ts'

export const skills = route({
  method: 'get',
  path: '/api/persona/{persona_id}/skills',
  summary: 'The skills of the persona, and those that are offered',
  description:
    'A skill is used once the person has enabled it. What is offered lies in `~/.agents/skills` and is not the persona’s before it is added.',
  tag: 'Tools',
  reply: Skills,
  refuses: ['persona_unknown'],
  handle:
    ({ personas, config }) =>
    async ({ params: { persona_id: id } }) => {
      const all = await skillsOf(personas, id)
      const { offeredSkills } = await import('../../skills/offered-skills.ts')
      return { skills: all.map(toldSkill), offered: await offeredSkills(config.skillsFolder) }
    },
})
