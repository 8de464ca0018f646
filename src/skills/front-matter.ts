/** Parses the front matter of a SKILL.md. Format: https://agentskills.io/specification */

import { parse } from 'yaml'
import * as z from 'zod'
import { isObject } from '../../packages/kit/is-object.ts'
import { invalidSkill } from './invalid-skill.ts'

/** Max length of the front matter in UTF-16 units. */
const maxLength = 16 * 1024
const maxNameLength = 64
const maxDescriptionLength = 1024
const maxCompatibilityLength = 500

const Name = z
  .string({ error: 'a name is missing: `name: …`' })
  .min(1, 'its name is empty')
  .max(maxNameLength, `its name is too long: ${maxNameLength} characters at most`)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'its name may only contain lower-case letters, digits and single hyphens between them',
  )
const Description = z
  .string({ error: 'a description is missing: `description: …`' })
  .trim()
  .min(1, 'its description is empty')
  .max(maxDescriptionLength, `its description is too long: ${maxDescriptionLength} characters at most`)

/**
 * Unknown fields are allowed, because others add their own. The permissions that a skill asks for are not
 * granted.
 */
const FrontMatter = z.object({
  name: Name,
  description: Description,
  license: z.string('its license must be a text').optional(),
  compatibility: z
    .string('its compatibility must be a text')
    .max(
      maxCompatibilityLength,
      `its compatibility is too long: ${maxCompatibilityLength} characters at most`,
    )
    .optional(),
  metadata: z
    .record(z.string(), z.string('its metadata must be texts by name'), 'its metadata must be texts by name')
    .optional(),
  'allowed-tools': z.string('its allowed-tools must be one text, with spaces between the names').optional(),
})
export type FrontMatter = Pick<z.infer<typeof FrontMatter>, 'name' | 'description'>

/** Throws skill_invalid. */
export const parseFrontMatter = (text: string): FrontMatter => {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const end = lines.indexOf('---', 1)
  if (lines[0] !== '---' || end < 0)
    throw invalidSkill('its SKILL.md does not begin with a front matter between two lines of ---')
  const yaml = lines.slice(1, end).join('\n')
  if (yaml.length > maxLength) throw invalidSkill('its front matter is too long')
  const parsedFields = FrontMatter.safeParse(parsePlainly(yaml))
  if (parsedFields.success) return parsedFields.data
  throw invalidSkill(parsedFields.error.issues[0]?.message ?? 'its front matter cannot be read')
}

/** Parses every value as plain text. No types are guessed and no aliases are resolved. */
const parsePlainly = (yaml: string): unknown => {
  try {
    const parsedYaml: unknown = parse(yaml, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' })
    if (isObject(parsedYaml)) return parsedYaml
  } catch {
    // Invalid YAML has no front matter.
  }
  throw invalidSkill('its front matter is not YAML with names and values')
}
