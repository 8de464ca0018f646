import type { Slot } from '../../journal/facts/fact-values.ts'
import { organTable } from '../../journal/facts/organ-table.ts'

/** Returns the advice for lost keys. */
export const keysGone = (slots: readonly Slot[]): string => {
  const names = slots.map((slot) => `the ${organTable[slot].title}`)
  const all = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
  return `Saved keys were damaged or lost: enter the key of ${all} again.`
}
