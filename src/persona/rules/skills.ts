/** Rules of skills: a skill is used only after the user enabled it. */
import type { Sha256, SkillFile, StoredMedia } from '../../../facts/fact-values.ts'
import type { Persona } from '../../../projections/persona.ts'
import { skillNamed } from '../../../projections/skills.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'

interface AddSkill {
  readonly type: 'AddSkill'
  readonly name: string
  readonly description: string
  readonly files: readonly SkillFile[]
  readonly media: StoredMedia
}

/** `sha256`: of the version that the user reviewed. */
interface EnableSkill {
  readonly type: 'EnableSkill'
  readonly name: string
  readonly sha256: Sha256
}

interface DisableSkill {
  readonly type: 'DisableSkill'
  readonly name: string
}

interface RemoveSkill {
  readonly type: 'RemoveSkill'
  readonly name: string
}

export type SkillCommand = AddSkill | EnableSkill | DisableSkill | RemoveSkill

const maxSkills = 64

/** The same bytes change nothing: an enabled skill stays enabled. */
const add = ({ skills }: Persona, { type: _, ...skill }: AddSkill): Decision => {
  const existingSkill = skillNamed(skills, skill.name)
  if (existingSkill?.pack.sha256 === skill.media.sha256) return accept()
  if (!existingSkill && skills.length >= maxSkills) return refuse({ code: 'skills_full', most: maxSkills })
  return accept({ type: 'SkillAdded', ...skill })
}

const enable = ({ skills }: Persona, { name, sha256 }: EnableSkill): Decision => {
  const skill = skillNamed(skills, name)
  if (!skill) return refuse({ code: 'skill_unknown' })
  if (skill.pack.sha256 !== sha256) return refuse({ code: 'skill_changed' })
  return skill.enabled ? accept() : accept({ type: 'SkillEnabled', name, sha256 })
}

const disable = ({ skills }: Persona, { name }: DisableSkill): Decision => {
  const skill = skillNamed(skills, name)
  if (!skill) return refuse({ code: 'skill_unknown' })
  return skill.enabled ? accept({ type: 'SkillDisabled', name }) : accept()
}

const remove = ({ skills }: Persona, { name }: RemoveSkill): Decision =>
  skillNamed(skills, name) ? accept({ type: 'SkillRemoved', name }) : refuse({ code: 'skill_unknown' })

export const skillRules: Rules<SkillCommand> = {
  AddSkill: add,
  EnableSkill: enable,
  DisableSkill: disable,
  RemoveSkill: remove,
}
