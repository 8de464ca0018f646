/** Clips of sound: one plays at a time, and a new one plays by itself only where somebody listens. */
import { createPlayer, type Player } from './player.ts'

export interface Clips {
  /** `broken` stands in its place where the browser cannot play it. */
  readonly show: (url: string, name: string, broken: () => HTMLElement) => HTMLElement
  /** It was just said: it plays once nothing else does, or waits to be asked for. */
  readonly announce: (url: string) => void
  /** What it shows goes away; where another shows the same by now, that one stays. */
  readonly drop: (url: string, shown: HTMLElement) => void
  readonly playing: () => boolean
  readonly hush: () => void
  readonly close: () => void
}

/**
 * `listening`: the person is here, has touched the page, and does nothing that a voice would disturb; `hold`:
 * it plays, and would fall silent out of the page.
 */
export const createClips = (listening: () => boolean, hold: (url: string) => void): Clips => {
  const byUrl = new Map<string, Player>()
  const byElement = new WeakMap<Element, Player>()
  let playing: Player | null = null
  let queue: readonly Player[] = []

  const next = () => {
    const [first, ...rest] = queue
    if (!first || !listening()) return
    queue = rest
    void first.play()
  }

  const hush = () => {
    queue = []
    playing?.pause()
  }

  /** Where it comes into view its length is read, so that it is known before anyone listens. */
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      byElement.get(target)?.load()
    }
  })

  return {
    show: (url, name, broken) => {
      const player = createPlayer(url, name, {
        onPlay: () => {
          const before = playing
          playing = player
          if (before !== player) before?.pause()
          hold(url)
        },
        onPause: (ended) => {
          if (playing !== player) return
          playing = null
          // Whoever stops one wants quiet.
          if (ended) next()
          else queue = []
        },
        onBroken: () => {
          player.element.replaceWith(broken())
          if (byUrl.get(url) === player) byUrl.delete(url)
          if (playing === player) playing = null
        },
      })
      byUrl.set(url, player)
      byElement.set(player.element, player)
      seen.observe(player.element)
      return player.element
    },
    announce: (url) => {
      const player = byUrl.get(url)
      if (!player) return
      player.unheard()
      if (!listening()) return
      queue = [...queue, player]
      if (!playing) next()
    },
    drop: (url, shown) => {
      const player = byUrl.get(url)
      if (!player || !(shown === player.element || shown.contains(player.element))) return
      // Taken out of the page, a sound would go on, and nobody could stop it.
      player.pause()
      seen.unobserve(player.element)
      byUrl.delete(url)
    },
    playing: () => playing !== null,
    hush,
    close: () => {
      hush()
      seen.disconnect()
      byUrl.clear()
    },
  }
}
