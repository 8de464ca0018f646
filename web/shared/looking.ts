/** Whether anybody looks at the page, and at whose talk. */
import { isInRoom } from './address.ts'
import { here } from './here.svelte.ts'

export const isLooking = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Of the talk as it is now, which is where new words come. */
export const isSeen = (id: string): boolean => {
  const { place } = here
  if (!isLooking() || !isInRoom(place) || place.room !== 'talk') return false
  return place.id === id && place.at === null && !place.offRecord
}
