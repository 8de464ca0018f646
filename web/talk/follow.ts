/** Keeps a scroller at its end while the content grows, until the user scrolls up. */

export interface Follow {
  readonly following: () => boolean
  readonly toEnd: () => void
  /** Stops following. */
  readonly stop: () => void
  readonly close: () => void
}

/** Distance to the end in pixels that still counts as the end. */
const nearEnd = 80

export const createFollow = (scroller: HTMLElement, column: HTMLElement, onChange: () => void): Follow => {
  let following = true
  let top = 0

  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEnd

  const setFollowing = (next: boolean) => {
    if (next === following) return
    following = next
    onChange()
  }

  const settle = () => {
    scroller.scrollTop = scroller.scrollHeight
    top = scroller.scrollTop
  }

  /**
   * Growing content moves the end away without a scroll by the user, so only scrolling up stops following.
   */
  const onScroll = () => {
    if (atEnd()) setFollowing(true)
    else if (scroller.scrollTop < top - 1) setFollowing(false)
    top = scroller.scrollTop
  }

  const sizes = new ResizeObserver(() => {
    if (following) settle()
  })
  sizes.observe(scroller)
  sizes.observe(column)
  scroller.addEventListener('scroll', onScroll)
  return {
    following: () => following,
    toEnd: () => {
      setFollowing(true)
      settle()
    },
    stop: () => setFollowing(false),
    close: () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    },
  }
}
