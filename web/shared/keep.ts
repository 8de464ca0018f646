/**
 * What this browser keeps for its person: drafts and letters not yet delivered. A browser that keeps nothing
 * is no error.
 */

/**
 * `language`, `theme`: what the page itself looks like, `notices`: whether it may tell of words that come
 * while nobody looks, `push`: whether this browser is told while the page is closed; all under the id `page`.
 * `words`: that nobody was ever told the 24 words of a persona; never a word of them. `seen`: the position of
 * the last words of a talk that were on the screen.
 */
export type Drawer = 'draft' | 'outbox' | 'language' | 'theme' | 'notices' | 'push' | 'words' | 'seen'

const nameOf = (drawer: Drawer, id: string) => `daimon.${drawer}.${id}`

export const kept = (drawer: Drawer, id: string): string => {
  try {
    return localStorage.getItem(nameOf(drawer, id)) ?? ''
  } catch {
    return ''
  }
}

/** Empty words remove what was kept. */
export const keep = (drawer: Drawer, id: string, words: string): void => {
  try {
    if (words === '') localStorage.removeItem(nameOf(drawer, id))
    else localStorage.setItem(nameOf(drawer, id), words)
  } catch {
    // Storage is full or forbidden: the words stay on the screen.
  }
}

export const forget = (id: string): void => {
  keep('draft', id, '')
  keep('outbox', id, '')
  keep('words', id, '')
  keep('seen', id, '')
}
