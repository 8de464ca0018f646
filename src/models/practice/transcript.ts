/** The talk it is to go over, line by line: `[41] 2026-11-23T10:15 person: words`, the time where it is known; indented lines go on with the one above. */
import type { Wall } from './wall-clock.ts'

export interface Line {
  readonly seq: number
  readonly time: Wall | undefined
  /** What a program passed on may be anybody's word; `other`: whom the person spoke with there. */
  readonly by: 'person' | 'program' | 'you' | 'other'
  /** No file came with it. */
  readonly alone: boolean
  /** Without the files that came with them. */
  readonly words: string
}

const head = /^\[(\d{1,15})\] (?:(\d{4}-\d\d-\d\dT\d\d:\d\d)\S* )?(person|you|the other)(, [^:]{1,60})?: ?(.*)$/s
/** What is marked as somebody else's, and a line of a talk within somebody's words, whoever is said to have spoken it. */
const quoted = /^[ \t]*>.*$|\[\d{1,15}\] \d{4}-\d\d-\d\dT\d\d:\d\d.*$/s
/** Stands where a file stood. */
const file = '<file>'

/** What is indented, or stands within a file, begins no line of its own; what belongs to no line was said by nobody. */
export const readTranscript = (text: string): readonly Line[] => {
  const lines: { readonly begin: RegExpExecArray; readonly rows: string[] }[] = []
  for (const row of withoutFiles(text).split(/\r?\n/)) {
    const begin = head.exec(row)
    if (begin) lines.push({ begin, rows: [begin[5] ?? ''] })
    else if (row.startsWith('  ')) lines.at(-1)?.rows.push(row.slice(2))
    else if (row.startsWith(file)) lines.at(-1)?.rows.push(file)
  }
  return lines.map(({ begin: [, seq, time, by = '', through], rows }) => {
    const all = rows.join('\n')
    const speaker = others[by] ?? (through === undefined ? 'person' : 'program')
    const words = rows.map((row) => row.replace(quoted, '')).join('\n')
    return { seq: Number(seq), time, by: speaker, alone: !all.includes(file), words: words.replaceAll(file, '').trim() }
  })
}

const others: Readonly<Record<string, Line['by']>> = { you: 'you', 'the other': 'other' }

/** One that was cut off ends with the talk. Of words of others nothing stays. */
const withoutFiles = (text: string): string => {
  let [kept, at] = ['', 0]
  for (const { index, 1: tag = '' } of text.matchAll(/<(file|words) /g)) {
    if (index < at) continue
    kept += text.slice(at, index) + (tag === 'file' ? file : '')
    const end = text.indexOf(`</${tag}>`, index)
    if (end < 0) return kept
    at = end + `</${tag}>`.length
  }
  return kept + text.slice(at)
}
