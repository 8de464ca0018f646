/** Organs as they are called to a person. */
import type { Slot } from '../../journal/facts/facts.ts'

export const organNames: Readonly<Record<Slot, string>> = {
  thinking: 'Mind',
  imagination: 'Imagination',
  mouth: 'Mouth',
  eye: 'Eye',
  ear: 'Ear',
  teacher: 'Teacher',
  researcher: 'Researcher',
}

/** What is to be done where the keys of some organs are gone. */
export const keysGone = (slots: readonly Slot[]): string => {
  const names = slots.map((slot) => `her ${organNames[slot]}`)
  const all = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
  return `Her saved keys were damaged or lost: enter the key of ${all} again.`
}
