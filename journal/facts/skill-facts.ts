/** Skills: folders of instructions that the person gave, and which of them may be used. */
import * as z from 'zod'
import { fact } from './fact.ts'
import { Sha256, SkillFile, SkillPack } from './fact-values.ts'

const row = {
  index: null,
  search: null,
  background: false,
  missed: true,
  changes: [],
  wish: 'none',
  blank: null,
  state: ['skills'],
  outside: ['name'],
} as const

export const skillFacts = {
  /**
   * It came, or came anew in the place of one of that name: it is not used before the person enables it.
   * `files` are those in `media`, which holds every byte of them.
   */
  SkillAdded: fact(
    {
      ...{ name: z.string(), description: z.string(), files: z.array(SkillFile).readonly() },
      media: SkillPack,
    },
    row,
  ),
  /** `sha256`: what the person enabled, and nothing else. */
  SkillEnabled: fact({ name: z.string(), sha256: Sha256 }, row),
  SkillDisabled: fact({ name: z.string() }, row),
  SkillRemoved: fact({ name: z.string() }, row),
}
