/** Requests the newest messages of the talk in the address before its room is rendered. */
import { isInRoom } from './address.ts'
import type { Answer } from './answer.ts'
import { conversation, type Page } from './api.ts'
import { here } from './here.svelte.ts'
import { register } from './people.svelte.ts'

interface Ahead {
  readonly id: string
  readonly page: Promise<Answer<Page>>
  /** `performance.now()` at the time of the request. */
  readonly at: number
}

/** Milliseconds before the response counts as outdated. */
const maxAgeMs = 5000

let prefetch: Ahead | null = null

/** Called after the personas are loaded, so that only existing personas are requested. */
export const preloadNewestPage = (): void => {
  const { place } = here
  if (!isInRoom(place) || place.room !== 'talk' || place.at !== null || place.offRecord) return
  if (register.find(place.id))
    prefetch = { id: place.id, page: conversation(place.id), at: performance.now() }
}

/** Returns the response that was requested ahead, once, unless it is outdated. */
export const newestPage = (id: string): Promise<Answer<Page>> => {
  const pendingPage = prefetch
  prefetch = null
  const isNew = pendingPage?.id === id && performance.now() - pendingPage.at < maxAgeMs
  return isNew ? pendingPage.page : conversation(id)
}
