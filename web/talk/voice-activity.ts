/**
 * Detects speech from the loudness. Own code, because the maintained libraries need WebAssembly, which the
 * page's content security policy forbids.
 */

export interface VoiceActivity {
  /**
   * `level` is from 0 to 1, linear in decibels; `now` is in milliseconds. Returns `spoken` once, after the
   * pause at the end of the speech.
   */
  readonly update: (level: number, now: number) => 'quiet' | 'speaking' | 'spoken'
}

/** Thresholds above the room's noise: about 8 dB to start, 5 dB to continue. */
const begins = 0.15
const goesOn = 0.09
/** Milliseconds: shortest sound that counts, pause that ends the speech, longest clip. */
const shortest = 200
const pause = 1200
const longest = 90_000
/** Upper limit of the room's noise, because a user who speaks immediately would be taken for noise. */
const loudestRoom = 0.4

export const createVoiceActivity = (): VoiceActivity => {
  let room: number | undefined
  let before = 0
  let loud = 0
  let since = 0
  let last = 0
  let speaking = false

  const listen = (level: number, now: number) => {
    const floor = room ?? Math.min(level, loudestRoom)
    // The noise estimate falls immediately and rises slowly, as when a fan is switched on.
    room = Math.min(loudestRoom, level < floor ? level : floor + (level - floor) * 0.02)
    loud = level > room + begins ? loud + (now - before) : 0
    if (loud < shortest) return 'quiet'
    speaking = true
    since = now
    last = now
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
    update: (level, now) => {
      if (before === 0) before = now
      const result = speaking ? goOn(level, now) : listen(level, now)
      before = now
      return result
    },
  }
}
