/** Moves the focus when the focused element is removed. */

/** Returns the link that opened the current view, which gets the focus back when the view closes. */
export const getWayIn = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-way-in]')

/**
 * An attachment: when the focused element inside is removed, focuses the first visible element that matches
 * the selector. Attach it to an element that stays.
 */
export const keepsFocus = (next: string) => (place: HTMLElement) => {
  let last: Element | null = null
  const remember = ({ target }: FocusEvent) => {
    last = target instanceof Element ? target : null
  }
  const forget = ({ relatedTarget }: FocusEvent) => {
    // Without a related target, the page lost the focus or the element was removed.
    if (relatedTarget instanceof Node && !place.contains(relatedTarget)) last = null
  }
  const check = () => {
    if (!last || document.activeElement !== document.body) return
    if (last.isConnected && last.checkVisibility()) return
    last = null
    const target = [...place.querySelectorAll<HTMLElement>(next)].find((element) => element.checkVisibility())
    target?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(check)
  observer.observe(place, { childList: true, subtree: true, attributeFilter: ['hidden', 'open'] })
  place.addEventListener('focusin', remember)
  place.addEventListener('focusout', forget)
  return () => {
    observer.disconnect()
    place.removeEventListener('focusin', remember)
    place.removeEventListener('focusout', forget)
  }
}
