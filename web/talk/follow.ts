/** Keeps a scroller at its end while words come in, until whoever reads goes up. */

export interface Follow {
  readonly following: () => boolean
  readonly toEnd: () => void
  /** Whoever reads is taken elsewhere. */
  readonly let: () => void
  readonly close: () => void
}

/** Pixels from the end that count as the end. */
const nearEnd = 80

export const createFollow = (scroller: HTMLElement, column: HTMLElement, onChange: () => void): Follow => {
  let following = true
  let top = 0

  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEnd

  const become = (next: boolean) => {
    if (next === following) return
    following = next
    onChange()
  }

  const settle = () => {
    scroller.scrollTop = scroller.scrollHeight
    top = scroller.scrollTop
  }

  /** What grows below moves the end, not who reads: only going up leaves it. */
  const onScroll = () => {
    if (atEnd()) become(true)
    else if (scroller.scrollTop < top - 1) become(false)
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
      become(true)
      settle()
    },
    let: () => become(false),
    close: () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    },
  }
}
