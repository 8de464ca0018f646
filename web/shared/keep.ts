/**
 * Local storage of this browser: drafts, undelivered messages and settings. A browser without storage is no
 * error.
 */

/**
 * Under the id `page`: `language`, `theme`, `notices` (may show notifications for new messages in the
 * background) and `push` (push notifications while the page is closed). By persona: `draft`, `outbox`,
 * `words` (true if the recovery words were never shown; the words themselves are never stored) and `seen`
 * (sequence number of the last message that was on the screen).
 */
export type Drawer = 'draft' | 'outbox' | 'language' | 'theme' | 'notices' | 'push' | 'words' | 'seen'

const toKey = (drawer: Drawer, id: string) => `daimon.${drawer}.${id}`

export const kept = (drawer: Drawer, id: string): string => {
  try {
    return localStorage.getItem(toKey(drawer, id)) ?? ''
  } catch {
    return ''
  }
}

/** Stores a text. An empty text removes the entry. */
export const keep = (drawer: Drawer, id: string, words: string): void => {
  try {
    if (words === '') localStorage.removeItem(toKey(drawer, id))
    else localStorage.setItem(toKey(drawer, id), words)
  } catch {
    // Storage is full or forbidden. The text stays on the screen.
  }
}

export const forget = (id: string): void => {
  keep('draft', id, '')
  keep('outbox', id, '')
  keep('words', id, '')
  keep('seen', id, '')
}
