/** The current place of the user in the page. */
import { type Place, parsePlace, toPath } from './address.ts'

let place = $state.raw<Place>(parsePlace(location))
let hasMoved = false

export const here = {
  get place(): Place {
    return place
  },
  /** True after the first navigation since the page was loaded: rooms then take the focus. */
  get moved(): boolean {
    return hasMoved
  },
}

const isCurrent = (path: string) => path === location.pathname + location.search

/** `hash`: a section of the room, such as `#tools`. */
export const go = (next: Place, hash = ''): void => {
  const path = toPath(next)
  if (!isCurrent(path) || (hash !== '' && location.hash !== hash)) history.pushState(null, '', path + hash)
  hasMoved = true
  place = next
}

/**
 * Replaces the current address without a new history entry. `entered`: counts as a navigation, so the new
 * room takes the focus.
 */
export const settle = (next: Place, { entered = false } = {}): void => {
  const path = toPath(next)
  if (isCurrent(path)) return
  if (entered) hasMoved = true
  history.replaceState(null, '', path)
  place = next
}

addEventListener('popstate', () => {
  hasMoved = true
  place = parsePlace(location)
})

/** Handles plain clicks on internal links. Clicks with modifier keys are left to the browser. */
document.addEventListener('click', (event) => {
  const anchor =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-inside]') : null
  if (!anchor || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  event.preventDefault()
  go(parsePlace(anchor), anchor.hash)
})
