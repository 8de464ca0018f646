/** Where the person is in the page. */
import { type Place, pathOf, placeOf } from './address.ts'

let place = $state.raw<Place>(placeOf(location))
let moved = false

export const here = {
  get place(): Place {
    return place
  },
  /** The person has gone somewhere since the page was loaded: what is entered takes the keyboard. */
  get moved(): boolean {
    return moved
  },
}

const isThere = (path: string) => path === location.pathname + location.search

export const go = (next: Place): void => {
  const path = pathOf(next)
  if (!isThere(path)) history.pushState(null, '', path)
  moved = true
  place = next
}

/**
 * Another address for what is open, without a step to go back. `entered`: it takes the place of what the
 * person was in, and the keyboard.
 */
export const settle = (next: Place, { entered = false } = {}): void => {
  const path = pathOf(next)
  if (isThere(path)) return
  if (entered) moved = true
  history.replaceState(null, '', path)
  place = next
}

addEventListener('popstate', () => {
  moved = true
  place = placeOf(location)
})

/** A plain press on a link of the page goes there; one that asks for a new tab stays the browser's. */
document.addEventListener('click', (event) => {
  const anchor =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-inside]') : null
  if (!anchor || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  event.preventDefault()
  go(placeOf(anchor))
})
