/**
 * Local storage of this browser: drafts, undelivered messages and settings. A browser without storage is no
 * error.
 */

/**
 * Under the id `page`: `language`, `theme`, `notices` (may show notifications for new messages in the
 * background) and `push` (push notifications while the page is closed). By persona: `draft`, `outbox`,
 * `words` (set if the recovery words were never shown; the words themselves are never stored), `words-later`
 * (epoch ms until which the reminder of the recovery words is hidden) and `seen` (sequence number of the last
 * message that was on the screen).
 */
export type StorageName =
  | 'draft'
  | 'outbox'
  | 'language'
  | 'theme'
  | 'notices'
  | 'push'
  | 'words'
  | 'words-later'
  | 'seen'

const toKey = (name: StorageName, id: string) => `daimon.${name}.${id}`

export const readStorage = (name: StorageName, id: string): string => {
  try {
    return localStorage.getItem(toKey(name, id)) ?? ''
  } catch {
    return ''
  }
}

/** Stores a text. An empty text removes the entry. */
export const writeStorage = (name: StorageName, id: string, value: string): void => {
  try {
    if (value === '') localStorage.removeItem(toKey(name, id))
    else localStorage.setItem(toKey(name, id), value)
  } catch {
    // Storage is full or forbidden. The text stays on the screen.
  }
}

/**
 * Calls `onChange` with the old and the new text when another tab changes an entry. Returns a function that
 * stops it.
 */
export const watchStorage = (
  name: StorageName,
  id: string,
  onChange: (oldValue: string, newValue: string) => void,
): (() => void) => {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    if (key === toKey(name, id)) onChange(oldValue ?? '', newValue ?? '')
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

export const clearStorage = (id: string): void => {
  writeStorage('draft', id, '')
  writeStorage('outbox', id, '')
  writeStorage('words', id, '')
  writeStorage('words-later', id, '')
  writeStorage('seen', id, '')
}
