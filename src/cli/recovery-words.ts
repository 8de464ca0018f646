/** The 24 recovery words of a persona on the terminal. */
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { printLine, table } from './printing.ts'

export const printRecoveryWords = (phrase: string): void => {
  printLine('\nIts 24 recovery words. They are the only key to its diary, and are shown only once:\n')
  const words = phrase.split(' ')
  const lines = Array.from({ length: 6 }, (_, row) =>
    Array.from({ length: 4 }, (__, column) => {
      const index = row * 4 + column
      return `${String(index + 1).padStart(2)} ${words[index] ?? ''}`
    }),
  )
  printLine(table(lines))
}

/** Reads the words from standard input, and asks for them in a terminal. */
export const readPhrase = async (): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim()
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const words = await lines.question('Its 24 recovery words: ')
  lines.close()
  return words.trim()
}
