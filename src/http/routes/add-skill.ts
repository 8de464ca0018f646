/** POST /api/persona/{persona_id}/skills */
import * as z from 'zod'
import { known } from '../../commands/lifecycle.ts'
import { keepSkill } from '../../commands/skills.ts'
import { route } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'
import { AddedSkill, toSkillView } from '../schema/skill-shapes.ts'
import { OptionalFilePart } from '../server/uploads.ts'

const Body = z
  .object({
    skill: OptionalFilePart,
    offered: z.string().optional(),
  })
  .meta({ id: 'Body_skill' })

/** Max bytes of the upload. An archive is hardly larger than its files. */
const largest = 6 * 1024 * 1024

export const addSkillRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/skills',
  summary: 'Add a skill to the persona. It is not used before it is enabled',
  description:
    'A form with one file, `skill`: a zip or a tar of its folder, or its SKILL.md alone. Or a form with `offered`, the name of an offered skill. A skill of the same name is replaced and must be enabled again. The same bytes change nothing.',
  tag: 'Tools',
  form: Body,
  limit: () => largest,
  reply: AddedSkill,
  refuses: ['persona_unknown', 'skill_invalid', 'skill_unknown', 'skills_full'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { skill, offered } }) => {
      if (!skill && offered === undefined)
        throw new HttpRefused({
          code: 'invalid',
          items: [{ type: 'missing', loc: ['body', 'skill'], msg: 'Field required', input: null }],
        })
      known(deps.personas, id)
      const { readUpload } = await import('../../skills/read-upload.ts')
      const { readOffered } = await import('../../skills/offered-skills.ts')
      const files = skill
        ? await readUpload(skill.staged.path)
        : await readOffered(deps.config.skillsFolder, offered ?? '')
      const { skill: stored, changed } = await keepSkill(deps, id, files)
      return { ...toSkillView(stored), changed }
    },
})
