/** Skills that lie in a folder of whoever runs this: offered, and never taken by themselves. */
import type { Dirent } from 'node:fs'
import { constants, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Refused } from '../persona/refusals.ts'
import { type FrontMatter, frontMatterOf } from './front-matter.ts'
import { invalidSkill } from './invalid-skill.ts'
import {
  checkedSkill,
  deepest,
  type FileOfSkill,
  isLitter,
  mainFile,
  mostBytes,
  mostFiles,
  type SkillFiles,
  textOfFile,
  tooMuch,
} from './skill-files.ts'

/** Folders that are looked into, and bytes of a SKILL.md that is read for what it says of itself. */
const [mostOffered, largestMain] = [200, 256 * 1024]

/** Those that could be added, by name. What is none, cannot be read or is a link is left out. */
export const offeredSkills = async (folder: string): Promise<readonly FrontMatter[]> => {
  const found = (await entriesOf(folder)).filter((one) => one.isDirectory()).slice(0, mostOffered)
  const all = await Promise.all(found.map(({ name }) => told(folder, name)))
  return all.flatMap((one) => one ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))
}

const told = async (folder: string, name: string): Promise<FrontMatter | null> => {
  try {
    const text = textOfFile(await bytesOf(join(folder, name, mainFile), largestMain))
    const { name: called, description } = frontMatterOf(text ?? '')
    return called === name ? { name, description } : null
  } catch {
    return null
  }
}

/** Refused: skill_unknown, skill_invalid. */
export const readOffered = async (folder: string, name: string): Promise<SkillFiles> => {
  const isThere = (await entriesOf(folder)).some((one) => one.isDirectory() && one.name === name)
  if (!isThere) throw new Refused({ code: 'skill_unknown' })
  return checkedSkill(await filesUnder(join(folder, name)), name)
}

/** All files of a folder, litter left out. Refused: skill_invalid. */
export const filesUnder = async (folder: string): Promise<readonly FileOfSkill[]> => {
  const files: FileOfSkill[] = []
  await gather(folder, '', files)
  return files
}

const gather = async (place: string, above: string, files: FileOfSkill[]): Promise<void> => {
  for (const entry of await entriesOf(place)) {
    const path = `${above}${entry.name}`
    if (isLitter(path)) continue
    if (entry.isDirectory()) {
      if (path.split('/').length >= deepest) throw invalidSkill('its folders lie too deep within each other')
      await gather(join(place, entry.name), `${path}/`, files)
      continue
    }
    if (!entry.isFile()) throw invalidSkill('there is a link in it, or something that is no file')
    const left = mostBytes - files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (files.length >= mostFiles) throw invalidSkill(tooMuch)
    files.push({ path, bytes: await bytesOf(join(place, entry.name), left) })
  }
}

/** Nothing where there is no such folder, or it may not be read. */
const entriesOf = (folder: string): Promise<readonly Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => [])

const bytesOf = async (path: string, most: number): Promise<Buffer> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > most) throw invalidSkill(tooMuch)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
