/** Wraps journals to time their writes and to count the open ones. */
import type { Journal, Journals } from '../../facts/persona-journal.ts'
import type { Tallies } from './tallies.ts'

export const watchJournals = (journals: Journals, tallies: Tallies): Journals => ({
  ...journals,
  create: async (id, first) => watch(await journals.create(id, first), tallies),
  open: async (id, role) => watch(await journals.open(id, role), tallies),
})

const watch = (journal: Journal, tallies: Tallies): Journal => {
  tallies.open++
  let isOpen = true
  const append: Journal['append'] = async (drafts, expectedHead) => {
    const startTime = performance.now()
    try {
      const commits = await journal.append(drafts, expectedHead)
      tallies.took.append.add({}, (performance.now() - startTime) / 1000)
      return commits
    } catch (error) {
      tallies.counts.append_failures.add({})
      throw error
    }
  }
  const close = async () => {
    if (isOpen) tallies.open--
    isOpen = false
    await journal.close()
  }
  // Copies the property descriptors, because `head` is a getter whose value changes.
  return Object.defineProperties({} as Journal, {
    ...Object.getOwnPropertyDescriptors(journal),
    append: { value: append, enumerable: true },
    close: { value: close, enumerable: true },
  })
}
