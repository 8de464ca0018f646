/** Facts about skills: folders of instructions that the user added and enabled. */
import * as z from 'zod'
import { fact, ordinaryTraits } from './fact.ts'
import { Sha256, SkillFile, StoredMedia } from './fact-values.ts'

const row = {
  ...ordinaryTraits,
  state: ['skills'],
  outside: ['name'],
  links: { name: { thing: 'skill', as: 'next' } },
} as const

export const skillFacts = {
  /**
   * The skill was added, or replaced the one with its name. It is not used until the user enables it. `files`
   * lists the contents of `media`, the archive that holds all their bytes.
   */
  SkillAdded: fact(
    {
      name: z.string(),
      description: z.string(),
      files: z.array(SkillFile).readonly(),
      media: StoredMedia,
    },
    { ...row, links: { name: { thing: 'skill', as: 'first' } } },
  ),
  /**
   * The user enabled the skill. `sha256`: the version that the user enabled. No other version may be used.
   */
  SkillEnabled: fact({ name: z.string(), sha256: Sha256 }, row),
  /** The user disabled the skill. */
  SkillDisabled: fact({ name: z.string() }, row),
  /** The user removed the skill. */
  SkillRemoved: fact({ name: z.string() }, row),
}
