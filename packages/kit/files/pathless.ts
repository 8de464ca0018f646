/** Removes absolute paths from error texts of the system and LevelDB, because clients must not learn them. */
import { readdirSync } from 'node:fs'

/**
 * Names in the root folder. A text that starts with one of them is a path, and not an address or a route.
 * Read once.
 */
const topFolders = ((): readonly string[] => {
  try {
    return readdirSync('/')
  } catch {
    return [
      'bin',
      'etc',
      'home',
      'lib',
      'mnt',
      'opt',
      'private',
      'proc',
      'root',
      'run',
      'srv',
      'tmp',
      'Users',
      'usr',
      'var',
      'Volumes',
    ]
  }
})()

const top = topFolders.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|')
/**
 * A path in quotes, as Node writes it, may contain any character. In other texts it ends at a space or
 * punctuation.
 */
const quotedPath = new RegExp(`(['"\`])/(?:${top})(?:/[^'"\`\\n]*)?\\1`, 'g')
const plainPath = new RegExp(`(?<![\\w/.:~@-])/(?:${top})(?:/[^\\s'"\`:;,()<>]*|(?!\\w))`, 'g')

/** Shortens paths: those of the home to `personas/<id>/journal/CURRENT`, all others to the last name. */
export const pathless = (text: string): string =>
  text.includes('/')
    ? text
        .replaceAll('file:///', '/')
        .replace(quotedPath, (path, mark: string) => `${mark}${ownName(path.slice(1, -1))}${mark}`)
        .replace(plainPath, ownName)
    : text

const homePath = /\/((?:personas|diaries|trash|catalog|lock)(?:\/.*)?)$/s

const ownName = (path: string): string =>
  homePath.exec(path)?.[1] ??
  path
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .at(-1) ??
  ''
