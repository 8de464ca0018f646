/** Which facts an audit shows. */
import type { AuditEntry } from '../../../journal/log/journal.ts'
import { fold } from '../../search/words.ts'

export interface AuditFilter {
  /** `from <= at < to`, epoch milliseconds; null is open. */
  readonly from: number | null
  readonly to: number | null
  readonly types: ReadonlySet<string> | null
  /** Stands in its words, whatever their case and accents. */
  readonly text: string | null
}

export type Shows = (entry: AuditEntry) => boolean

/**
 * Null where all are shown. Damaged where the words that are looked into are not the ones that were written.
 */
export const showsOf = ({ from, to, types, text }: AuditFilter): Shows | null => {
  if (from === null && to === null && types === null && text === null) return null
  const [since, until] = [from ?? -Infinity, to ?? Infinity]
  const sought = text === null ? null : plainly(text)
  return (entry) =>
    entry.at >= since &&
    entry.at < until &&
    (types === null || types.has(entry.type)) &&
    (sought === null || holds(entry.words(), sought))
}

const holds = (value: unknown, sought: string): boolean => {
  if (typeof value === 'string') return plainly(value).includes(sought)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => holds(inner, sought))
}

const ascii = /^[\0-\x7f]*$/
/** ⏱ Most words have no accent, and cost a tenth. */
const plainly = (text: string): string => (ascii.test(text) ? text.toLowerCase() : fold(text))
