/** The files of a skill, checked: what one may hold, and what it says of itself. */
import { type FrontMatter, frontMatterOf } from './front-matter.ts'
import { invalidSkill } from './invalid-skill.ts'

export interface FileOfSkill {
  /** From its folder on, with `/` between the parts. */
  readonly path: string
  readonly bytes: Buffer
}

/** `files` in the order of their paths. */
export interface SkillFiles extends FrontMatter {
  readonly files: readonly FileOfSkill[]
}

/** Files of a skill, bytes of all of them, bytes of a path, and of all paths. */
export const [mostFiles, mostBytes] = [200, 5 * 1024 * 1024]
const [longestPath, longestPaths] = [200, 16 * 1024]
export const tooMuch = `a skill has ${mostFiles} files and ${mostBytes / 1024 / 1024} MiB at most`
/** Folders within each other. */
export const deepest = 16

export const mainFile = 'SKILL.md'

/** `folder`: what it lay in, where that is known; it is called as it. Refused: skill_invalid. */
export const checkedSkill = (files: readonly FileOfSkill[], folder: string | null): SkillFiles => {
  if (files.length > mostFiles || sumOf(files, ({ bytes }) => bytes.length) > mostBytes)
    throw invalidSkill(tooMuch)
  for (const { path } of files)
    if (!isPlainPath(path)) throw invalidSkill(`a file in it has a name that is not taken: ${shown(path)}`)
  if (sumOf(files, ({ path }) => Buffer.byteLength(path)) > longestPaths)
    throw invalidSkill('the names of its files are too long')
  const main = files.find(({ path }) => path === mainFile)
  if (!main) throw invalidSkill(`there is no ${mainFile} in it`)
  const text = textOfFile(main.bytes)
  if (text === null) throw invalidSkill(`its ${mainFile} is no text in UTF-8`)
  const told = frontMatterOf(text)
  if (folder !== null && folder !== told.name)
    throw invalidSkill(`it is called ${told.name}, and its folder ${shown(folder)}: they must be the same`)
  return {
    ...{ name: told.name, description: told.description },
    files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Null for bytes that are no text in UTF-8. */
export const textOfFile = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Left by systems that files were packed on: nobody gave them. */
export const isLitter = (path: string): boolean =>
  path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part === '.git')

const isPlainPath = (path: string): boolean => {
  const parts = path.split('/')
  return (
    Buffer.byteLength(path) <= longestPath &&
    parts.length <= deepest &&
    path.isWellFormed() &&
    !/[\\\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

const shown = (text: string): string => JSON.stringify(text.toWellFormed().slice(0, 100))

const sumOf = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0)

/** It would run elsewhere: here it is only read. */
export const isScript = ({ path, bytes }: FileOfSkill): boolean =>
  path.startsWith('scripts/') ||
  /\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd|lua|r|exe)$/i.test(path) ||
  bytes.subarray(0, 2).toString('latin1') === '#!'
