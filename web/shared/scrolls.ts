/** Makes an overflowing element focusable, so that it can be scrolled by keyboard. */
export const scrolls = (place: HTMLElement): (() => void) => {
  const check = () => {
    const isLonger = place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth
    if (isLonger) place.tabIndex = 0
    else place.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(check)
  const watch = () => {
    sizes.disconnect()
    for (const element of [place, ...place.children]) sizes.observe(element)
  }
  const children = new MutationObserver(watch)
  children.observe(place, { childList: true })
  watch()
  return () => {
    sizes.disconnect()
    children.disconnect()
  }
}
