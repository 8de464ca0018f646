/** The last message of each talk that was on the screen of this browser, as a sequence number. */
import { SvelteMap } from 'svelte/reactivity'
import { readStorage, writeStorage } from './local-storage.ts'

const knownPositions = new SvelteMap<string, number>()

const readPosition = (id: string): number | null => {
  const storedText = readStorage('seen', id)
  return /^\d+$/.test(storedText) ? Number(storedText) : null
}

export const seenPositions = {
  /** Null if this browser has never shown the talk. */
  upTo: (id: string): number | null => knownPositions.get(id) ?? readPosition(id),
  note: (id: string, position: number): void => {
    if (position <= (seenPositions.upTo(id) ?? 0)) return
    knownPositions.set(id, position)
    writeStorage('seen', id, String(position))
  },
}

// Another tab has shown newer messages.
addEventListener('storage', ({ key, newValue }) => {
  const id = key?.match(/^daimon\.seen\.(.+)$/)?.[1]
  if (id !== undefined && newValue !== null) knownPositions.set(id, Number(newValue))
})
