/** Creates the refusal of an invalid skill, with the reason for the user. */
import { Refused } from '../persona/refusals.ts'

export const invalidSkill = (reason: string): Refused =>
  new Refused({ code: 'skill_invalid', reason: `This skill cannot be added: ${reason}.` })
