/**
 * Error texts without the places of this machine: the system and the engine name them, and nobody who asks
 * the daemon is to learn them.
 */
import { readdirSync } from 'node:fs'

/**
 * What lies at the top of this machine: a text that goes on from one of these is a path, and no address or
 * route. Read once.
 */
const tops = ((): readonly string[] => {
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

const top = tops.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|')
/** As Node quotes one, whatever is in it; and as it stands in other texts, up to where its words end. */
const quoted = new RegExp(`(['"\`])/(?:${top})(?:/[^'"\`\\n]*)?\\1`, 'g')
const plain = new RegExp(`(?<![\\w/.:~@-])/(?:${top})(?:/[^\\s'"\`:;,()<>]*|(?!\\w))`, 'g')

/**
 * What the home's own folders hold is told by its name there, as `personas/<id>/journal/CURRENT`; anything
 * else by its last name.
 */
export const pathless = (text: string): string =>
  text.includes('/')
    ? text
        .replaceAll('file:///', '/')
        .replace(quoted, (path, mark: string) => `${mark}${ownName(path.slice(1, -1))}${mark}`)
        .replace(plain, ownName)
    : text

const own = /\/((?:personas|diaries|trash|catalog|lock)(?:\/.*)?)$/s

const ownName = (path: string): string =>
  own.exec(path)?.[1] ??
  path
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .at(-1) ??
  ''
