/** Keeps a scroller at its end while the content grows, until the user scrolls up. */

export interface Follow {
  readonly following: () => boolean
  readonly toEnd: () => void
  /** Stops following. */
  readonly stop: () => void
  readonly close: () => void
}

/** Inputs by which users scroll, and how long their scrolling continues, in ms. */
const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
const maxInputMs = 1000

/** Distance to the end in pixels that still counts as the end. */
const nearEnd = 80

export const createFollow = (scroller: HTMLElement, column: HTMLElement, onChange: () => void): Follow => {
  let following = true
  let top = 0
  let height = 0
  /** Time of the last input that can scroll, in ms. */
  let inputAt = Number.NEGATIVE_INFINITY

  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEnd

  const setFollowing = (next: boolean) => {
    if (next === following) return
    following = next
    onChange()
  }

  const settle = () => {
    scroller.scrollTop = scroller.scrollHeight
    top = scroller.scrollTop
    height = scroller.scrollHeight
  }

  const onInput = () => {
    inputAt = performance.now()
  }

  /**
   * Only a user who scrolls up stops following. Content that grows or shrinks also moves the position: with a
   * changed height, a scroll is the user's only shortly after an input.
   */
  const onScroll = () => {
    const isByUser = scroller.scrollHeight === height || performance.now() - inputAt < maxInputMs
    if (atEnd()) setFollowing(true)
    else if (scroller.scrollTop < top - 1 && isByUser) setFollowing(false)
    else if (following) return settle()
    top = scroller.scrollTop
    height = scroller.scrollHeight
  }

  const sizes = new ResizeObserver(() => {
    if (following) settle()
  })
  sizes.observe(scroller)
  sizes.observe(column)
  scroller.addEventListener('scroll', onScroll)
  for (const input of inputs) scroller.addEventListener(input, onInput, { passive: true })
  return {
    following: () => following,
    toEnd: () => {
      // An earlier input does not explain scrolls after this.
      inputAt = Number.NEGATIVE_INFINITY
      setFollowing(true)
      settle()
    },
    stop: () => setFollowing(false),
    close: () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', onScroll)
      for (const input of inputs) scroller.removeEventListener(input, onInput)
    },
  }
}
