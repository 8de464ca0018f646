/** Routes of skills, and their shapes. */

import * as z from 'zod'
import { Sha256, SkillFile } from '../../../facts/fact-values.ts'
import type { Skill } from '../../../projections/skills.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import {
  disableSkill,
  enableSkill,
  filesOfSkill,
  getSkill,
  keepSkill,
  listSkills,
  removeSkill,
} from '../../commands/skills.ts'
import { type FileOfSkill, isScript, textOfFile } from '../../skills/skill-files.ts'
import { HttpRefused } from '../refused.ts'
import { route } from '../route.ts'
import { OptionalFilePart } from '../server/upload-form.ts'

const skillFields = {
  name: z.string(),
  description: z.string(),
  enabled: z.boolean().describe('The persona may use it: the user has enabled this version.'),
  sha256: z.string().describe('Hash of all its bytes. Another hash is another skill.'),
}

export const SkillView = z
  .object({ ...skillFields, files: z.array(SkillFile).readonly() })
  .meta({ id: 'Skill' })

const AddedSkill = SkillView.extend({
  changed: z.boolean().describe('It replaced a skill of the same name and must be enabled again.'),
}).meta({ id: 'AddedSkill' })

export const WholeSkill = z
  .object({
    ...skillFields,
    files: z
      .array(
        SkillFile.extend({
          text: z.string().nullable().describe('Null for a file that is not text.'),
          script: z.boolean().describe('A script. It is only read here, never run.'),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'WholeSkill' })

const Skills = z
  .object({
    skills: z.array(SkillView).readonly(),
    offered: z
      .array(z.object({ name: z.string(), description: z.string() }))
      .readonly()
      .describe('Skills in ~/.agents/skills. They are not used until they are added and enabled.'),
  })
  .meta({ id: 'Skills' })

const toSkillView = ({ name, description, enabled, pack, files }: Skill): z.input<typeof SkillView> => ({
  name,
  description,
  enabled,
  sha256: pack.sha256,
  files: [...files],
})

const toSkillDetails = (skill: Skill, files: readonly FileOfSkill[]): z.input<typeof WholeSkill> => ({
  ...toSkillView(skill),
  files: files.map((file) => ({
    path: file.path,
    bytes: file.bytes.length,
    text: textOfFile(file.bytes),
    script: isScript(file),
  })),
})

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
      const all = await listSkills(personas, id)
      const { offeredSkills } = await import('../../skills/offered-skills.ts')
      return { skills: all.map(toSkillView), offered: await offeredSkills(config.skillsFolder) }
    },
})

const AddSkillBody = z
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
  form: AddSkillBody,
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
      requireListed(deps.personas, id)
      const { readUpload } = await import('../../skills/read-upload.ts')
      const { readOffered } = await import('../../skills/offered-skills.ts')
      const files = skill
        ? await readUpload(skill.staged.path)
        : await readOffered(deps.config.skillsFolder, offered ?? '')
      const { skill: storedSkill, changed } = await keepSkill(deps, id, files)
      return { ...toSkillView(storedSkill), changed }
    },
})

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
      const skill = await getSkill(personas, id, name)
      return toSkillDetails(skill, await filesOfSkill(personas, id, skill))
    },
})

const EnableSkillBody = z
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
  body: EnableSkillBody,
  reply: SkillView,
  refuses: ['persona_unknown', 'skill_unknown', 'skill_changed', 'skill_damaged'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, name }, body: { enabled, sha256 } }) => {
      if (enabled) await enableSkill(deps, id, { name, sha256 })
      else await disableSkill(deps, id, name)
      return toSkillView(await getSkill(deps.personas, id, name))
    },
})

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
