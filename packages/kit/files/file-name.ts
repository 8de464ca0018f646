/** What a file is called by strangers, made plain. */
import { parse } from 'node:path'

/** Characters of a name. */
const longestName = 255

/** The last part of a path of any system, and nothing that a terminal or a page would obey; never empty. */
export const plainName = (given: string): string => {
  const last = given.split(/[\\/]/).at(-1) ?? ''
  const { name, ext } = parse(last.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').toWellFormed())
  if (/^[\s.]*$/.test(name + ext)) return 'file'
  const ending = ext.length > 32 ? '' : ext
  // Half a letter at the cut goes too.
  return `${name.slice(0, longestName - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`
}
