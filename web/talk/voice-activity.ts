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
const speechLevel = 0.15
const continueLevel = 0.09
/** Milliseconds: shortest sound that counts, pause that ends the speech, longest clip. */
const shortest = 200
const pause = 1200
const longest = 90_000
/** Upper limit of the room's noise, because a user who speaks immediately would be taken for noise. */
const loudestRoom = 0.4

export const createVoiceActivity = (): VoiceActivity => {
  let room: number | undefined
  let previousAt = 0
  let loudMs = 0
  let startedAt = 0
  let last = 0
  let speaking = false

  const listen = (level: number, now: number) => {
    const floor = room ?? Math.min(level, loudestRoom)
    // The noise estimate falls immediately and rises slowly, as when a fan is switched on.
    room = Math.min(loudestRoom, level < floor ? level : floor + (level - floor) * 0.02)
    loudMs = level > room + speechLevel ? loudMs + (now - previousAt) : 0
    if (loudMs < shortest) return 'quiet'
    speaking = true
    startedAt = now
    last = now
    return 'speaking'
  }

  const continueSpeech = (level: number, now: number) => {
    if (level > (room ?? 0) + continueLevel) last = now
    if (now - last < pause && now - startedAt < longest) return 'speaking'
    speaking = false
    loudMs = 0
    return 'spoken'
  }

  return {
    update: (level, now) => {
      if (previousAt === 0) previousAt = now
      const result = speaking ? continueSpeech(level, now) : listen(level, now)
      previousAt = now
      return result
    },
  }
}
