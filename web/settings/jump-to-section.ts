/**
 * Scrolls to the section that the address names, which did not exist yet when the page was loaded. Does so
 * again when the sections above it have loaded, until the user does something. Returns a function that stops
 * it.
 */
export const jumpToSection = (sections: HTMLElement): (() => void) | undefined => {
  const name = location.hash.slice(1)
  const heading = [...sections.querySelectorAll<HTMLElement>('h2[id]')].find(({ id }) => id === name)
  if (!heading) return
  heading.focus({ preventScroll: true })
  const sizes = new ResizeObserver(() => heading.scrollIntoView())
  sizes.observe(sections)
  const actions = new AbortController()
  const stop = () => {
    sizes.disconnect()
    actions.abort()
  }
  for (const type of ['pointerdown', 'wheel', 'touchmove', 'keydown', 'focusin'])
    addEventListener(type, stop, { capture: true, passive: true, signal: actions.signal })
  return stop
}
