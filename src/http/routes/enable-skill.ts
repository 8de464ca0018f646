/** PATCH /api/persona/{persona_id}/skills/{name} */
import * as z from 'zod'
import { Sha256 } from '../../../journal/facts/fact-values.ts'
import { disableSkill, enableSkill, skillOf } from '../../commands/skills.ts'
import { route } from '../route.ts'
import { SkillView, toSkillView } from '../schema/skill-shapes.ts'

const Body = z
  .object({
    enabled: z.boolean(),
    sha256: Sha256.optional().describe(
      'Hash of the version that the user reviewed. If the skill has changed since, it is not enabled.',
    ),
  })
  .meta({ id: 'SkillRequest' })

export const enableSkillRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/skills/{name}',
  summary: 'Enable the current version of a skill, or disable it',
  description: 'Checks the files first. A damaged skill is not enabled.',
  tag: 'Tools',
  body: Body,
  reply: SkillView,
  refuses: ['persona_unknown', 'skill_unknown', 'skill_changed', 'skill_damaged'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, name }, body: { enabled, sha256 } }) => {
      if (enabled) await enableSkill(deps, id, { name, sha256 })
      else await disableSkill(deps, id, name)
      return toSkillView(await skillOf(deps.personas, id, name))
    },
})
