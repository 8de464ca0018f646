/** Prints the 24 words of a new persona. */
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
