/** The current place of the user in the page. */
import { type Place, parsePlace, toPath } from './address.ts'

const firstPlace = parsePlace(location)
let place = $state.raw<Place>(firstPlace)
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

// A former section of the settings is a view of its own now.
if (location.pathname.endsWith('/settings') && !isCurrent(toPath(firstPlace)))
  history.replaceState(null, '', toPath(firstPlace) + location.hash)

/** Functions that close the open dialogs, the newest last. Each has a history entry of its own. */
let layers: readonly (() => void)[] = []
/** Runs after the history entry of a closed dialog is left. */
let afterReturn: (() => void) | null = null
let isReturning = false

/**
 * Closes a dialog when the user of a touch screen goes back. Call the returned function when the dialog was
 * closed in another way.
 */
export const closeOnBack = (close: () => void): (() => void) => {
  if (!matchMedia('(pointer: coarse)').matches) return () => {}
  history.pushState({ isLayer: true }, '')
  layers = [...layers, close]
  return () => {
    if (!layers.includes(close)) return
    layers = layers.filter((other) => other !== close)
    isReturning = true
    history.back()
  }
}

/** `hash`: a section of the room, such as `#backup`. */
export const go = (next: Place, hash = ''): void => {
  if (isReturning) {
    afterReturn = () => go(next, hash)
    return
  }
  const path = toPath(next)
  const isNew = !isCurrent(path) || (hash !== '' && location.hash !== hash)
  // The new view takes the place of the dialog that led to it.
  if (layers.length > 0) history.replaceState(null, '', path + hash)
  else if (isNew) history.pushState(null, '', path + hash)
  layers = []
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
  if (isReturning) {
    isReturning = false
    const next = afterReturn
    afterReturn = null
    next?.()
    return
  }
  const close = layers.at(-1)
  if (close) {
    layers = layers.slice(0, -1)
    close()
    return
  }
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
