/** Names of files that the page saves. */
import { withoutIsolates } from '../strings/isolated.ts'
import { toDateField } from './moments.ts'

/** Returns a name with the local day, such as `Talk with Ada 2026-11-28.md`. */
export const datedFileName = (title: string, ending: string, now = new Date()): string => {
  const safeTitle = withoutIsolates(title)
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/^[. ]+/, '')
    .replace(/(?<![. ])[. ]+$/, '')
  return `${safeTitle} ${toDateField(now)}${ending}`
}
