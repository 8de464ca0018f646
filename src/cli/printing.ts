/**
 * Prints the output of commands: columns for users, JSON for programs. Colors only on terminals that support
 * them.
 */
import { styleText } from 'node:util'

export type TextStyle = Parameters<typeof styleText>[0]

const usesColor = (stream: NodeJS.WriteStream) =>
  stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb'

export const applyStyle = (style: TextStyle, words: string): string =>
  usesColor(process.stdout) ? styleText(style, words) : words

/**
 * Removes control and bidirectional characters from untrusted text, so that it cannot change the terminal or
 * the order of other text.
 */
export const harmless = (words: string): string =>
  words.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '')

export const printLine = (words: string): void => void process.stdout.write(`${harmless(words)}\n`)

/** Prints text with colors, unchanged. */
export const printStyled = (words: string): void => void process.stdout.write(`${words}\n`)

/** Prints the value as JSON with control characters escaped. */
export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)?.replace(controlCharacters, escapeSign)}\n`)

const controlCharacters = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const escapeSign = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Formats columns. The width follows the longest cell. Untrusted cells must be `harmless`. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, [...cell].length)
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - [...cell].length),
        )
        .join('  '),
    )
    .join('\n')
}

/** Prints rows of untrusted text, each on one line. Prints `emptyText` if there are none. */
export const printRows = (rows: readonly (readonly string[])[], emptyText: string): void =>
  printLine(rows.length === 0 ? emptyText : table(rows.map((row) => row.map(inLine))))

const inLine = (words: string): string => harmless(words).replace(/\s+/g, ' ').trim()

/** Returns a time of the daemon, up to the minute. */
export const toMinute = (time: string): string => time.slice(0, 16).replace('T', ' ')

/** Shows a progress bar on standard error if that is a terminal. */
export const createProgress = (): { at(ratio: number, label: string): void; end(): void } => {
  const { stderr } = process
  const width = 28
  let last = ''
  return {
    at: (ratio, label) => {
      const fullCells = Math.round(Math.min(1, Math.max(0, ratio)) * width)
      const line = `${inLine(label)} [${'#'.repeat(fullCells)}${'.'.repeat(width - fullCells)}] ${Math.floor(ratio * 100)} %`
      if (!stderr.isTTY || line === last) return
      stderr.write(`\r${line}${' '.repeat(Math.max(0, last.length - line.length))}`)
      last = line
    },
    end: () => {
      if (last) stderr.write(`\r${' '.repeat(last.length)}\r`)
    },
  }
}
