/** The newest page of the talk that is opened with the page, asked for before anything of it is drawn. */
import { isInRoom } from './address.ts'
import type { Answer } from './answer.ts'
import { conversation, type Page } from './api.ts'
import { here } from './here.svelte.ts'
import { register } from './people.svelte.ts'

let ahead: { readonly id: string; readonly page: Promise<Answer<Page>> } | null = null

/** Once it is known who is there: of nobody else anything is asked for. */
export const askAhead = (): void => {
  const { place } = here
  if (!isInRoom(place) || place.room !== 'talk' || place.at !== null || place.offRecord) return
  if (register.find(place.id)) ahead = { id: place.id, page: conversation(place.id) }
}

/** What was asked for ahead is handed out once: later it would be old. */
export const newestPage = (id: string): Promise<Answer<Page>> => {
  const found = ahead?.id === id ? ahead.page : conversation(id)
  ahead = null
  return found
}
