/**
 * What a skill says of itself, at the top of its SKILL.md; https://agentskills.io/specification is followed.
 */

import { parse } from 'yaml'
import * as z from 'zod'
import { isObject } from '../../packages/kit/is-object.ts'
import { invalidSkill } from './invalid-skill.ts'

/** UTF-16 units of it. */
const longest = 16 * 1024
const [longestName, longestDescription, longestCompatibility] = [64, 1024, 500]

const Name = z
  .string({ error: 'a name is missing: `name: …`' })
  .min(1, 'its name is empty')
  .max(longestName, `its name is too long: ${longestName} characters at most`)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'its name may hold lower-case letters, digits and single hyphens between them, and nothing else',
  )
const Description = z
  .string({ error: 'a description is missing: `description: …`' })
  .trim()
  .min(1, 'its description is empty')
  .max(longestDescription, `its description is too long: ${longestDescription} characters at most`)

/** What is known nowhere is let pass: others add their own. What is asked for here gives nobody anything. */
const FrontMatter = z.object({
  name: Name,
  description: Description,
  license: z.string('its license must be a text').optional(),
  compatibility: z
    .string('its compatibility must be a text')
    .max(longestCompatibility, `its compatibility is too long: ${longestCompatibility} characters at most`)
    .optional(),
  metadata: z
    .record(z.string(), z.string('its metadata must be texts by name'), 'its metadata must be texts by name')
    .optional(),
  'allowed-tools': z.string('its allowed-tools must be one text, with spaces between the names').optional(),
})
export type FrontMatter = Pick<z.infer<typeof FrontMatter>, 'name' | 'description'>

/** Refused: skill_invalid. */
export const frontMatterOf = (text: string): FrontMatter => {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const end = lines.indexOf('---', 1)
  if (lines[0] !== '---' || end < 0)
    throw invalidSkill('its SKILL.md does not begin with a front matter between two lines of ---')
  const yaml = lines.slice(1, end).join('\n')
  if (yaml.length > longest) throw invalidSkill('its front matter is too long')
  const read = FrontMatter.safeParse(plainly(yaml))
  if (read.success) return read.data
  throw invalidSkill(read.error.issues[0]?.message ?? 'its front matter cannot be read')
}

/** Every value is the text that stands there: no type is guessed, nothing is referred to. */
const plainly = (yaml: string): unknown => {
  try {
    const read: unknown = parse(yaml, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' })
    if (isObject(read)) return read
  } catch {
    // As what is none.
  }
  throw invalidSkill('its front matter is no YAML of names and values')
}
