/** A skill as it was sent: a zip of its folder, or its SKILL.md alone. Nothing is unpacked to the disk. */
import { open, readFile, stat } from 'node:fs/promises'
import { type Archive, openArchive } from '../documents/archive.ts'
import { Unreadable, usualLimits } from '../documents/limits.ts'
import { invalidSkill } from './invalid-skill.ts'
import {
  checkedSkill,
  type FileOfSkill,
  isLitter,
  mainFile,
  mostBytes,
  mostFiles,
  type SkillFiles,
  tooMuch,
} from './skill-files.ts'

/** Folders are entries of a zip, too. */
const limits = {
  ...usualLimits,
  ...{ entries: 4 * mostFiles, directory: 512 * 1024, entry: mostBytes, total: mostBytes },
}

/** Refused: skill_invalid. */
export const readUpload = async (path: string): Promise<SkillFiles> => {
  if (await isZip(path)) return readZip(path)
  if ((await stat(path)).size > mostBytes) throw invalidSkill(tooMuch)
  return checkedSkill([{ path: mainFile, bytes: await readFile(path) }], null)
}

const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32BE() === 0x504b0304
  } finally {
    await file.close()
  }
}

const readZip = async (path: string): Promise<SkillFiles> => {
  try {
    const archive = await openArchive(path, limits)
    try {
      return await skillIn(archive)
    } finally {
      archive.close()
    }
  } catch (error) {
    if (error instanceof Unreadable) throw invalidSkill(wordsOf(error))
    throw error
  }
}

const wordsOf = ({ reason }: Unreadable): string => {
  switch (reason) {
    case 'encrypted':
      return 'the zip is protected by a password'
    case 'too_large':
    case 'too_many_entries':
    case 'list_too_long':
    case 'bomb':
      return tooMuch
    default:
      return 'the zip is damaged, or a name in it leads out of it'
  }
}

const skillIn = async (archive: Archive): Promise<SkillFiles> => {
  const names = archive.names.filter((name) => !isLitter(name) && !name.endsWith('/'))
  if (names.length > mostFiles) throw invalidSkill(tooMuch)
  const mains = names.filter((name) => name === mainFile || name.endsWith(`/${mainFile}`))
  const [main, ...others] = mains.filter((name) => name.split('/').length <= 2)
  if (main === undefined) throw invalidSkill(`there is no ${mainFile} in it`)
  if (others.length > 0) throw invalidSkill('there are several in it: send one at a time')
  const folder = main === mainFile ? null : main.slice(0, -mainFile.length - 1)
  const files: FileOfSkill[] = []
  for (const name of names) {
    if (archive.isLink(name)) throw invalidSkill('there is a link in it')
    if (folder !== null && !name.startsWith(`${folder}/`))
      throw invalidSkill('there are files in it that lie beside the folder of the skill')
    const path = folder === null ? name : name.slice(folder.length + 1)
    files.push({ path, bytes: await whole(archive.read(name)) })
  }
  return checkedSkill(files, folder)
}

const whole = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
