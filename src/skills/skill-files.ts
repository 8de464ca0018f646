/** The files of a skill, with checks of their limits and of the front matter. */
import { type FrontMatter, parseFrontMatter } from './front-matter.ts'
import { invalidSkill } from './invalid-skill.ts'

export interface FileOfSkill {
  /** Path inside the folder of the skill, with `/` as separator. */
  readonly path: string
  readonly bytes: Buffer
}

/** `files` are sorted by path. */
export interface SkillFiles extends FrontMatter {
  readonly files: readonly FileOfSkill[]
}

/** Max files of a skill, and max bytes of all files, of one path, and of all paths. */
export const [maxFiles, maxBytes] = [200, 5 * 1024 * 1024]
const maxPathLength = 200
const maxPathsLength = 16 * 1024
export const tooMuch = `a skill has ${maxFiles} files and ${maxBytes / 1024 / 1024} MiB at most`
/** Max nested folders. */
export const maxDepth = 16

export const mainFile = 'SKILL.md'

/**
 * Checks the files. `folder` is the name of their folder, if known. It must be the name of the skill. Throws
 * skill_invalid.
 */
export const checkSkill = (files: readonly FileOfSkill[], folder: string | null): SkillFiles => {
  if (files.length > maxFiles || sumBy(files, ({ bytes }) => bytes.length) > maxBytes)
    throw invalidSkill(tooMuch)
  for (const { path } of files)
    if (!isPlainPath(path)) throw invalidSkill(`it contains a file with an invalid name: ${quote(path)}`)
  if (sumBy(files, ({ path }) => Buffer.byteLength(path)) > maxPathsLength)
    throw invalidSkill('the names of its files are too long')
  const main = files.find(({ path }) => path === mainFile)
  if (!main) throw invalidSkill(`it contains no ${mainFile}`)
  const text = textOfFile(main.bytes)
  if (text === null) throw invalidSkill(`its ${mainFile} is not UTF-8 text`)
  const frontMatter = parseFrontMatter(text)
  if (folder !== null && folder !== frontMatter.name)
    throw invalidSkill(
      `its name is ${frontMatter.name}, but its folder is ${quote(folder)}: they must be the same`,
    )
  return {
    name: frontMatter.name,
    description: frontMatter.description,
    files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Returns null if the bytes are not UTF-8 text. */
export const textOfFile = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Matches files that operating systems and archivers add. */
export const isLitter = (path: string): boolean =>
  path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part === '.git')

const isPlainPath = (path: string): boolean => {
  const parts = path.split('/')
  return (
    Buffer.byteLength(path) <= maxPathLength &&
    parts.length <= maxDepth &&
    path.isWellFormed() &&
    !/[\\\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

const quote = (text: string): string => JSON.stringify(text.toWellFormed().slice(0, 100))

const sumBy = <T>(all: readonly T[], getValue: (item: T) => number): number =>
  all.reduce((sum, item) => sum + getValue(item), 0)

/** Matches scripts. They are only read here, never run. */
export const isScript = ({ path, bytes }: FileOfSkill): boolean =>
  path.startsWith('scripts/') ||
  /\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd|lua|r|exe)$/i.test(path) ||
  bytes.subarray(0, 2).toString('latin1') === '#!'
