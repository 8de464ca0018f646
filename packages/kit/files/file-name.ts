/** Cleans file names from untrusted sources. */
import { parse } from 'node:path'

/** Max characters of a name. */
const maxNameBytes = 255

/** Returns the last part of a path of any system, without control characters. Never empty. */
export const plainName = (fileName: string): string => {
  const last = fileName.split(/[\\/]/).at(-1) ?? ''
  const { name, ext } = parse(last.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').toWellFormed())
  if (/^[\s.]*$/.test(name + ext)) return 'file'
  const ending = ext.length > 32 ? '' : ext
  // Do not leave half of a surrogate pair.
  return `${name.slice(0, maxNameBytes - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`
}
