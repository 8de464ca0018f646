/**
 * When somebody speaks, told from how loud it is. By hand: the libraries that are kept run in WebAssembly,
 * which the page's policy forbids.
 */

export interface VoiceActivity {
  /**
   * `level` from 0 to 1, linear in decibels; `now` in milliseconds. `spoken` is told once, after the pause
   * behind what was said.
   */
  readonly hear: (level: number, now: number) => 'quiet' | 'speaking' | 'spoken'
}

/** Above what a room sounds like by itself: some 8 dB to begin, 5 to go on. */
const [begins, goesOn] = [0.15, 0.09]
/**
 * Milliseconds: of a sound that counts, of the pause that ends it, and of the longest that is said at once.
 */
const [shortest, pause, longest] = [200, 1200, 90_000]
/** A room is not taken for louder than this: who speaks at once would be. */
const loudestRoom = 0.4

export const createVoiceActivity = (): VoiceActivity => {
  let room: number | undefined
  let [before, loud, since, last] = [0, 0, 0, 0]
  let speaking = false

  const listen = (level: number, now: number) => {
    const floor = room ?? Math.min(level, loudestRoom)
    // It falls quiet at once, and grows loud slowly, as when a fan is switched on.
    room = Math.min(loudestRoom, level < floor ? level : floor + (level - floor) * 0.02)
    loud = level > room + begins ? loud + (now - before) : 0
    if (loud < shortest) return 'quiet'
    ;[speaking, since, last] = [true, now, now]
    return 'speaking'
  }

  const goOn = (level: number, now: number) => {
    if (level > (room ?? 0) + goesOn) last = now
    if (now - last < pause && now - since < longest) return 'speaking'
    speaking = false
    loud = 0
    return 'spoken'
  }

  return {
    hear: (level, now) => {
      if (before === 0) before = now
      const told = speaking ? goOn(level, now) : listen(level, now)
      before = now
      return told
    },
  }
}
