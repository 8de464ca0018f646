/** Plays audio clips, one at a time. New clips play automatically if the user is present. */

export interface Player {
  /** Never rejects. If the browser blocks autoplay, the clip waits for a press. */
  readonly play: () => Promise<void>
  readonly pause: () => void
  /** Marks the clip as new until it is played. */
  readonly onUnheard: () => void
}

/** The events that a player reports. */
export interface PlayerNews {
  readonly onPlayed: () => void
  readonly onPaused: (hasEnded: boolean) => void
  /** The clip cannot be played. */
  readonly onBroken: () => void
  /** The player is unmounted. A newer player of the same clip stays registered. */
  readonly onLeave: () => void
}

export interface Clips {
  readonly join: (url: string, player: Player) => PlayerNews
  /** Queues a new clip, or marks it as new if the user is not listening. */
  readonly announce: (url: string) => void
  readonly isPlaying: () => boolean
  readonly hush: () => void
}

/**
 * `listening` returns true if the user is present, has interacted with the page, and is not recording. `hold`
 * is called with a clip that plays, whose player must stay mounted.
 */
export const createClips = (listening: () => boolean, onHold: (url: string) => void): Clips => {
  const byUrl = new Map<string, Player>()
  let playing: Player | null = null
  let queue: readonly Player[] = []

  const next = () => {
    const [first, ...rest] = queue
    if (!first || !listening()) return
    queue = rest
    void first.play()
  }

  const onPaused = (player: Player, hasEnded: boolean) => {
    if (playing !== player) return
    playing = null
    // A user who stops a clip does not want the next one either.
    if (hasEnded) next()
    else queue = []
  }

  const forget = (url: string, player: Player) => {
    queue = queue.filter((queued) => queued !== player)
    if (byUrl.get(url) === player) byUrl.delete(url)
  }

  return {
    join: (url, player) => {
      byUrl.set(url, player)
      return {
        onPlayed: () => {
          const previousPlayer = playing
          playing = player
          if (previousPlayer !== player) previousPlayer?.pause()
          onHold(url)
        },
        onPaused: (hasEnded) => onPaused(player, hasEnded),
        onBroken: () => {
          forget(url, player)
          // The queued clips can still be played.
          onPaused(player, true)
        },
        onLeave: () => {
          // An unmounted audio element would continue to play without controls.
          player.pause()
          forget(url, player)
          onPaused(player, false)
        },
      }
    },
    announce: (url) => {
      const player = byUrl.get(url)
      if (!player) return
      player.onUnheard()
      if (!listening()) return
      queue = [...queue, player]
      if (!playing) next()
    },
    isPlaying: () => playing !== null,
    hush: () => {
      queue = []
      playing?.pause()
    },
  }
}
