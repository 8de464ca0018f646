/** Finds skills in a folder of the user. They are offered, but never added automatically. */
import type { Dirent } from 'node:fs'
import { constants, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Refused } from '../persona/refusals.ts'
import { type FrontMatter, parseFrontMatter } from './front-matter.ts'
import { invalidSkill } from './invalid-skill.ts'
import {
  checkSkill,
  type FileOfSkill,
  isLitter,
  mainFile,
  maxBytes,
  maxDepth,
  maxFiles,
  type SkillFiles,
  textOfFile,
  tooMuch,
} from './skill-files.ts'

/** Max folders that are searched, and max bytes of a SKILL.md. */
const maxOffered = 200
const maxMainBytes = 256 * 1024

/**
 * Returns the skills that can be added, sorted by name. Leaves out links, unreadable folders and invalid
 * skills.
 */
export const offeredSkills = async (folder: string): Promise<readonly FrontMatter[]> => {
  const folders = (await listEntries(folder)).filter((entry) => entry.isDirectory()).slice(0, maxOffered)
  const all = await Promise.all(folders.map(({ name }) => readSkill(folder, name)))
  return all.flatMap((skill) => skill ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))
}

const readSkill = async (folder: string, name: string): Promise<FrontMatter | null> => {
  try {
    const text = textOfFile(await readBytes(join(folder, name, mainFile), maxMainBytes))
    const { name: skillName, description } = parseFrontMatter(text ?? '')
    return skillName === name ? { name, description } : null
  } catch {
    return null
  }
}

/** Throws skill_unknown or skill_invalid. */
export const readOffered = async (folder: string, name: string): Promise<SkillFiles> => {
  const exists = (await listEntries(folder)).some((entry) => entry.isDirectory() && entry.name === name)
  if (!exists) throw new Refused({ code: 'skill_unknown' })
  return checkSkill(await filesUnder(join(folder, name)), name)
}

/** Returns all files of a folder without litter such as `.DS_Store`. Throws skill_invalid. */
export const filesUnder = async (folder: string): Promise<readonly FileOfSkill[]> => {
  const files: FileOfSkill[] = []
  await gather(folder, '', files)
  return files
}

const gather = async (place: string, parentPath: string, files: FileOfSkill[]): Promise<void> => {
  for (const entry of await listEntries(place)) {
    const path = `${parentPath}${entry.name}`
    if (isLitter(path)) continue
    if (entry.isDirectory()) {
      if (path.split('/').length >= maxDepth) throw invalidSkill('its folders are nested too deeply')
      await gather(join(place, entry.name), `${path}/`, files)
      continue
    }
    if (!entry.isFile()) throw invalidSkill('it contains a link or a special file')
    const bytesLeft = maxBytes - files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (files.length >= maxFiles) throw invalidSkill(tooMuch)
    files.push({ path, bytes: await readBytes(join(place, entry.name), bytesLeft) })
  }
}

/** Returns an empty list if the folder does not exist or cannot be read. */
const listEntries = (folder: string): Promise<readonly Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => [])

const readBytes = async (path: string, maxBytes: number): Promise<Buffer> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > maxBytes) throw invalidSkill(tooMuch)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
