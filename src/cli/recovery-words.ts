/** Prints the 24 words of a new persona. */
import { say, table } from './printing.ts'

export const sayWords = (phrase: string): void => {
  say('\nIts 24 recovery words. They are the only key to its diary, and are shown only once:\n')
  const words = phrase.split(' ')
  const lines = Array.from({ length: 6 }, (_, row) =>
    Array.from({ length: 4 }, (__, column) => {
      const at = row * 4 + column
      return `${String(at + 1).padStart(2)} ${words[at] ?? ''}`
    }),
  )
  say(table(lines))
}
