/** Remembers how far each room was scrolled, as long as the page is open. */

const tops = new Map<string, number>()
/** Milliseconds in which a room may load its content. */
const maxWaitMs = 3_000

/** An attachment: restores the scroll position of the room with this key, and follows it. */
export const keepsPlace =
  (key: string, isRestored: boolean) =>
  (room: HTMLElement): (() => void) => {
    const savedTop = isRestored ? (tops.get(key) ?? 0) : 0
    const sizes = new ResizeObserver(() => {
      room.scrollTop = savedTop
      if (room.scrollTop >= savedTop - 1) end()
    })
    const actions = new AbortController()
    const end = () => {
      sizes.disconnect()
      clearTimeout(timer)
      actions.abort()
    }
    const timer = setTimeout(end, maxWaitMs)
    if (savedTop > 0) {
      for (const child of room.children) sizes.observe(child)
      for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
        room.addEventListener(type, end, { passive: true, signal: actions.signal })
    } else end()
    const note = () => tops.set(key, room.scrollTop)
    room.addEventListener('scrollend', note)
    return () => {
      end()
      room.removeEventListener('scrollend', note)
    }
  }
