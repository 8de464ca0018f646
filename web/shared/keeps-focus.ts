/** Where the keyboard goes when what had it is taken away. */

/** What leads to a view in the place of this one, and has the keyboard back once that is left. */
export const wayIn = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-way-in]')

/**
 * An attachment: the first element inside that fits `next`, unless the keyboard went elsewhere by itself; the
 * element is best one that stays.
 */
export const keepsFocus = (next: string) => (place: HTMLElement) => {
  let last: Element | null = null
  const remember = ({ target }: FocusEvent) => {
    last = target instanceof Element ? target : null
  }
  const forget = ({ relatedTarget }: FocusEvent) => {
    // Without where to, the page lost it, or the element went.
    if (relatedTarget instanceof Node && !place.contains(relatedTarget)) last = null
  }
  const look = () => {
    if (!last || document.activeElement !== document.body) return
    if (last.isConnected && last.checkVisibility()) return
    last = null
    const found = [...place.querySelectorAll<HTMLElement>(next)].find((one) => one.checkVisibility())
    found?.focus({ preventScroll: true })
  }
  const watching = new MutationObserver(look)
  watching.observe(place, { childList: true, subtree: true, attributeFilter: ['hidden', 'open'] })
  place.addEventListener('focusin', remember)
  place.addEventListener('focusout', forget)
  return () => {
    watching.disconnect()
    place.removeEventListener('focusin', remember)
    place.removeEventListener('focusout', forget)
  }
}
