/** What is longer than its place is reached by keyboard, so that it can be scrolled by it. */
export const scrolls = (place: HTMLElement): (() => void) => {
  const look = () => {
    const isLonger = place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth
    if (isLonger) place.tabIndex = 0
    else place.removeAttribute('tabindex')
  }
  const watched = new ResizeObserver(look)
  watched.observe(place)
  for (const child of place.children) watched.observe(child)
  return () => watched.disconnect()
}
