/** Adds, reads, enables, disables and removes skills. */
import type { PersonaId } from '../../facts/fact-values.ts'
import { type Skill, skillNamed } from '../../projections/skills.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { FileOfSkill, SkillFiles } from '../skills/skill-files.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

type Deps = Pick<CommandDeps, 'inTurn' | 'personas'>
type Reads = Pick<PersonaStore, 'getRow' | 'mediaPath' | 'read'>

export const listSkills = (personas: Reads, id: PersonaId): Promise<readonly Skill[]> => {
  requireListed(personas, id)
  return personas.read(id, async ({ persona }) => persona.skills)
}

/** Throws Refused: persona_unknown, skill_unknown. */
export const getSkill = async (personas: Reads, id: PersonaId, name: string): Promise<Skill> => {
  const skill = skillNamed(await listSkills(personas, id), name)
  if (!skill) throw new Refused({ code: 'skill_unknown' })
  return skill
}

/** Returns the files exactly as added. Throws Refused: skill_damaged. */
export const filesOfSkill = async (
  personas: Reads,
  id: PersonaId,
  skill: Skill,
): Promise<readonly FileOfSkill[]> => {
  const { openPack } = await import('../skills/skill-pack.ts')
  const files = await openPack(await personas.mediaPath(id, skill.pack.filename), skill)
  if (!files) throw new Refused({ code: 'skill_damaged' })
  return files
}

/**
 * Stores the files before the fact that names them, and removes former ones after it. `changed`: it replaced
 * a skill of that name. Throws Refused: persona_unknown, skills_full.
 */
export const keepSkill = (
  { inTurn, personas }: Deps,
  id: PersonaId,
  { name, description, files: all }: SkillFiles,
): Promise<{ readonly skill: Skill; readonly changed: boolean }> =>
  inTurn(id, async () => {
    const skillBefore = skillNamed(await listSkills(personas, id), name)
    const { packNamed, packSkill } = await import('../skills/skill-pack.ts')
    const bytes = await packSkill(all)
    const storedMedia = await personas.keepMedia(id, { bytes }, 'tar')
    const files = all.map(({ path, bytes: { length } }) => ({ path, bytes: length }))
    const media = { ...packNamed(name), ...storedMedia }
    let hasChanged = false
    try {
      const command = { type: 'AddSkill', name, description, files, media } as const
      hasChanged = (await personas.execute(id, command, 'person')).entries.length > 0
    } finally {
      if (!hasChanged) await personas.dropMedia(id, storedMedia.filename)
    }
    if (hasChanged && skillBefore) await personas.dropMedia(id, skillBefore.pack.filename)
    return { skill: await getSkill(personas, id, name), changed: hasChanged && skillBefore !== undefined }
  })

/**
 * `sha256`: of the reviewed version, if given. Throws Refused: skill_unknown, skill_changed, skill_damaged.
 */
export const enableSkill = (
  { inTurn, personas }: Deps,
  id: PersonaId,
  { name, sha256 }: { readonly name: string; readonly sha256: string | undefined },
): Promise<void> =>
  inTurn(id, async () => {
    const skill = await getSkill(personas, id, name)
    await filesOfSkill(personas, id, skill)
    const command = { type: 'EnableSkill', name, sha256: sha256 ?? skill.pack.sha256 } as const
    await personas.execute(id, command, 'person')
  })

/** Throws Refused: skill_unknown. */
export const disableSkill = async ({ personas }: Deps, id: PersonaId, name: string): Promise<void> => {
  requireListed(personas, id)
  await personas.execute(id, { type: 'DisableSkill', name }, 'person')
}

/** Also removes the files. Throws Refused: skill_unknown. */
export const removeSkill = ({ inTurn, personas }: Deps, id: PersonaId, name: string): Promise<void> =>
  inTurn(id, async () => {
    const { pack } = await getSkill(personas, id, name)
    await personas.execute(id, { type: 'RemoveSkill', name }, 'person')
    await personas.dropMedia(id, pack.filename)
  })
