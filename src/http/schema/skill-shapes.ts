/** Shapes of skills in responses. */
import * as z from 'zod'
import { SkillFile } from '../../../journal/facts/fact-values.ts'
import type { Skill } from '../../../projections/skills.ts'
import { type FileOfSkill, isScript, textOfFile } from '../../skills/skill-files.ts'

const skillFields = {
  name: z.string(),
  description: z.string(),
  enabled: z.boolean().describe('The persona may use it: the user has enabled this version.'),
  sha256: z.string().describe('Hash of all its bytes. Another hash is another skill.'),
}

export const SkillView = z
  .object({ ...skillFields, files: z.array(SkillFile).readonly() })
  .meta({ id: 'Skill' })

export const AddedSkill = SkillView.extend({
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

export const Skills = z
  .object({
    skills: z.array(SkillView).readonly(),
    offered: z
      .array(z.object({ name: z.string(), description: z.string() }))
      .readonly()
      .describe('Skills in ~/.agents/skills. They are not used until they are added and enabled.'),
  })
  .meta({ id: 'Skills' })

export const toSkillView = ({
  name,
  description,
  enabled,
  pack,
  files,
}: Skill): z.input<typeof SkillView> => ({
  ...{ name, description, enabled, sha256: pack.sha256, files: [...files] },
})

export const toSkillDetails = (skill: Skill, files: readonly FileOfSkill[]): z.input<typeof WholeSkill> => ({
  ...toSkillView(skill),
  files: files.map((file) => ({
    ...{ path: file.path, bytes: file.bytes.length },
    ...{ text: textOfFile(file.bytes), script: isScript(file) },
  })),
})
