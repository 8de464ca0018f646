/** Clips of sound: one plays at a time, and a new one plays by itself only where somebody listens. */

export interface Player {
  /** Never rejects: where the browser does not let it play, it waits to be pressed. */
  readonly play: () => Promise<void>
  readonly pause: () => void
  /** Marks it as new until it is played. */
  readonly unheard: () => void
}

/** What a player tells of itself. */
export interface PlayerNews {
  readonly played: () => void
  readonly paused: (ended: boolean) => void
  /** It cannot be played. */
  readonly broken: () => void
  /** It goes out of the page; where another shows the same by now, that one stays. */
  readonly leave: () => void
}

export interface Clips {
  readonly join: (url: string, player: Player) => PlayerNews
  /** It was just said: it plays once nothing else does, or waits to be asked for. */
  readonly announce: (url: string) => void
  readonly playing: () => boolean
  readonly hush: () => void
}

/**
 * `listening`: the person is here, has touched the page, and does nothing that a voice would disturb; `hold`:
 * it plays, and would fall silent out of the page.
 */
export const createClips = (listening: () => boolean, hold: (url: string) => void): Clips => {
  const byUrl = new Map<string, Player>()
  let playing: Player | null = null
  let queue: readonly Player[] = []

  const next = () => {
    const [first, ...rest] = queue
    if (!first || !listening()) return
    queue = rest
    void first.play()
  }

  const paused = (player: Player, ended: boolean) => {
    if (playing !== player) return
    playing = null
    // Whoever stops one wants quiet.
    if (ended) next()
    else queue = []
  }

  const forget = (url: string, player: Player) => {
    queue = queue.filter((one) => one !== player)
    if (byUrl.get(url) === player) byUrl.delete(url)
  }

  return {
    join: (url, player) => {
      byUrl.set(url, player)
      return {
        played: () => {
          const before = playing
          playing = player
          if (before !== player) before?.pause()
          hold(url)
        },
        paused: (ended) => paused(player, ended),
        broken: () => {
          forget(url, player)
          // Those behind it can be played.
          paused(player, true)
        },
        leave: () => {
          // Taken out of the page, a sound would go on, and nobody could stop it.
          player.pause()
          forget(url, player)
          paused(player, false)
        },
      }
    },
    announce: (url) => {
      const player = byUrl.get(url)
      if (!player) return
      player.unheard()
      if (!listening()) return
      queue = [...queue, player]
      if (!playing) next()
    },
    playing: () => playing !== null,
    hush: () => {
      queue = []
      playing?.pause()
    },
  }
}
