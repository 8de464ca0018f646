/** Why what was given is no skill, in words for a person. */
import { Refused } from '../persona/refusals.ts'

export const invalidSkill = (why: string): Refused =>
  new Refused({ code: 'skill_invalid', reason: `This is no skill that can be added: ${why}.` })
