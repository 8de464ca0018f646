/** Detects if the page is in the foreground, and which talk is on the screen. */
import { isInRoom } from './address.ts'
import { here } from './here.svelte.ts'

export const isLooking = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Returns true if the present talk of the persona, where new messages appear, is on the screen. */
export const isSeen = (id: string): boolean => {
  const { place } = here
  if (!isLooking() || !isInRoom(place) || place.room !== 'talk') return false
  return place.id === id && place.at === null && !place.offRecord
}
