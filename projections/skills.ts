/** The skills of a persona, and which of them the user has enabled. */

import type { Seq, SkillFile, StoredMedia } from '../facts/fact-values.ts'
import type { FactFor } from './fact.ts'

/** `seq`: position of the fact that added it. */
export interface Skill {
  readonly seq: Seq
  readonly name: string
  readonly description: string
  readonly files: readonly SkillFile[]
  readonly pack: StoredMedia
  readonly enabled: boolean
}

/** In the order in which they were added. */
export type Skills = readonly Skill[]

export const initialSkills: Skills = []

export const skillNamed = (skills: Skills, name: string): Skill | undefined =>
  skills.find((skill) => skill.name === name)

export const evolveSkills = (skills: Skills, { seq, event }: FactFor<'skills'>): Skills => {
  switch (event.type) {
    case 'SkillAdded': {
      const { name, description, files, media: pack } = event
      const newSkill: Skill = { seq, name, description, files, pack, enabled: false }
      if (!skillNamed(skills, name)) return [...skills, newSkill]
      return skills.map((skill) => (skill.name === name ? newSkill : skill))
    }
    case 'SkillEnabled':
      return skills.map((skill) =>
        skill.name === event.name && skill.pack.sha256 === event.sha256 ? { ...skill, enabled: true } : skill,
      )
    case 'SkillDisabled':
      return skills.map((skill) => (skill.name === event.name ? { ...skill, enabled: false } : skill))
    case 'SkillRemoved':
      return skills.filter(({ name }) => name !== event.name)
    // A diary may come from an untrusted source, so the user must enable its skills again.
    case 'PersonaRestored':
      return skills.map((skill) => ({ ...skill, enabled: false }))
  }
}
