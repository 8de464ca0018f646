/** The newest words of the talk that the page is opened at, asked for before its room is drawn. */
import { isInRoom } from './address.ts'
import type { Answer } from './answer.ts'
import { conversation, type Page } from './api.ts'
import { here } from './here.svelte.ts'
import { register } from './people.svelte.ts'

interface Ahead {
  readonly id: string
  readonly page: Promise<Answer<Page>>
  /** `performance.now()` when it was asked for. */
  readonly at: number
}

/** Milliseconds: who opens the talk later wants it as it is then. */
const fresh = 5000

let ahead: Ahead | null = null

/** Once it is known who is there: of nobody else anything is asked for. */
export const askAhead = (): void => {
  const { place } = here
  if (!isInRoom(place) || place.room !== 'talk' || place.at !== null || place.offRecord) return
  if (register.find(place.id)) ahead = { id: place.id, page: conversation(place.id), at: performance.now() }
}

/** What was asked for ahead is handed out once, and only soon. */
export const newestPage = (id: string): Promise<Answer<Page>> => {
  const found = ahead
  ahead = null
  const isNew = found?.id === id && performance.now() - found.at < fresh
  return isNew ? found.page : conversation(id)
}
