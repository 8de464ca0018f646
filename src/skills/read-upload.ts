/**
 * Reads an uploaded skill: a zip or a tar of its folder, or its SKILL.md alone. Nothing is unpacked to disk.
 */
import { open, readFile, stat } from 'node:fs/promises'
import { unpackTar } from 'modern-tar'
import { openArchive } from '../../packages/documents/archive.ts'
import { Unreadable, usualLimits } from '../../packages/documents/limits.ts'
import { invalidSkill } from './invalid-skill.ts'
import {
  checkSkill,
  type FileOfSkill,
  isLitter,
  mainFile,
  maxBytes,
  maxFiles,
  type SkillFiles,
  tooMuch,
} from './skill-files.ts'

/** Folders are also entries of a zip. */
const limits = {
  ...usualLimits,
  entries: 4 * maxFiles,
  directory: 512 * 1024,
  entry: maxBytes,
  total: maxBytes,
}

/** Throws skill_invalid. */
export const readUpload = async (path: string): Promise<SkillFiles> => {
  const kind = await detectKind(path)
  if (kind === 'zip') return readZip(path)
  if (kind === 'tar') return readTar(await readFile(path))
  if ((await stat(path)).size > maxBytes) throw invalidSkill(tooMuch)
  return checkSkill([{ path: mainFile, bytes: await readFile(path) }], null)
}

const detectKind = async (path: string): Promise<'zip' | 'tar' | 'other'> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    if (bytesRead >= 4 && buffer.readUInt32BE() === 0x504b0304) return 'zip'
    return bytesRead === 512 && buffer.toString('latin1', 257, 262) === 'ustar' ? 'tar' : 'other'
  } finally {
    await file.close()
  }
}

/** The upload limit already bounds the size, and unpacking a tar adds nothing. */
const readTar = async (bytes: Buffer): Promise<SkillFiles> => {
  const entries = await unpackTar(bytes, { strict: true }).catch(() => {
    throw invalidSkill('the tar is damaged or compressed: send it as a plain tar')
  })
  const fileEntries = entries.filter(({ header }) => header.type !== 'directory' && !isLitter(header.name))
  const files = new Map(fileEntries.map(({ header, data }) => [inFolder(header.name), data]))
  if (fileEntries.some(({ header }) => header.type !== 'file')) throw invalidSkill(aLink)
  return skillIn([...files.keys()], async (name) => Buffer.from(files.get(name) ?? []))
}

/** Removes a leading `./`, as in `tar cf x.tar ./tea`. */
const inFolder = (name: string): string => name.replace(/^(?:\.\/)+/, '')

const readZip = async (path: string): Promise<SkillFiles> => {
  try {
    const archive = await openArchive(path, limits)
    try {
      const names = archive.names.filter((name) => !isLitter(name) && !name.endsWith('/'))
      if (names.some((name) => archive.isLink(name))) throw invalidSkill(aLink)
      return await skillIn(names, (name) => readAll(archive.read(name)))
    } finally {
      archive.close()
    }
  } catch (error) {
    if (error instanceof Unreadable) throw invalidSkill(describeReason(error))
    throw error
  }
}

const describeReason = ({ reason }: Unreadable): string => {
  switch (reason) {
    case 'encrypted':
      return 'the zip is protected by a password'
    case 'too_large':
    case 'too_many_entries':
    case 'list_too_long':
    case 'bomb':
      return tooMuch
    default:
      return 'the zip is damaged, or a name in it points out of it'
  }
}

const aLink = 'it contains a link'

const skillIn = async (
  names: readonly string[],
  readMember: (name: string) => Promise<Buffer>,
): Promise<SkillFiles> => {
  if (names.length > maxFiles) throw invalidSkill(tooMuch)
  const mains = names.filter((name) => name === mainFile || name.endsWith(`/${mainFile}`))
  const [main, ...otherMains] = mains.filter((name) => name.split('/').length <= 2)
  if (main === undefined) throw invalidSkill(`it contains no ${mainFile}`)
  if (otherMains.length > 0) throw invalidSkill('it contains several skills: send one at a time')
  const folder = main === mainFile ? null : main.slice(0, -mainFile.length - 1)
  const files: FileOfSkill[] = []
  for (const name of names) {
    if (folder !== null && !name.startsWith(`${folder}/`))
      throw invalidSkill('some of its files are outside the folder of the skill')
    const path = folder === null ? name : name.slice(folder.length + 1)
    files.push({ path, bytes: await readMember(name) })
  }
  return checkSkill(files, folder)
}

const readAll = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
