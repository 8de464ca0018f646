/**
 * Detects speech from the loudness. Own code, because the maintained libraries need WebAssembly, which the
 * page's content security policy forbids.
 */

export interface VoiceActivity {
  /**
   * `level` is from 0 to 1, linear in decibels; `now` is in milliseconds. Returns `spoken` once, after the
   * pause at the end of the speech.
   */
  readonly update: (level: number, nowMs: number) => 'quiet' | 'speaking' | 'spoken'
  /**
   * The same while another voice is heard, of the loudness `ownLevel`. Returns true once if the user speaks
   * over it; the speech then continues with `update`.
   */
  readonly isInterrupted: (level: number, ownLevel: number, nowMs: number) => boolean
}

/** Thresholds above the room's noise: about 8 dB to start, 5 dB to continue. */
const speechLevel = 0.15
const continueLevel = 0.09
/** Milliseconds: shortest sound that counts, pause that ends the speech, longest clip. */
const shortest = 200
const pause = 1200
const longest = 90_000
/** Milliseconds of speech that interrupt another voice, and from its beginning until its echo is known. */
const interruptAfter = 320
const echoKnownAfter = 800
/** Levels above the echo of the other voice: about 8 dB. */
const overEcho = 0.15
/** Upper limit of the room's noise, because a user who speaks immediately would be taken for noise. */
const loudestRoom = 0.4

export const createVoiceActivity = (): VoiceActivity => {
  let room: number | undefined
  let previousAt = 0
  let loudMs = 0
  let startedAt = 0
  let last = 0
  let isSpeaking = false

  const listen = (level: number, nowMs: number) => {
    const floor = room ?? Math.min(level, loudestRoom)
    // The noise estimate falls immediately and rises slowly, as when a fan is switched on.
    room = Math.min(loudestRoom, level < floor ? level : floor + (level - floor) * 0.02)
    loudMs = level > room + speechLevel ? loudMs + (nowMs - previousAt) : 0
    if (loudMs < shortest) return 'quiet'
    isSpeaking = true
    startedAt = nowMs
    last = nowMs
    return 'speaking'
  }

  const continueSpeech = (level: number, nowMs: number) => {
    if (level > (room ?? 0) + continueLevel) last = nowMs
    if (nowMs - last < pause && nowMs - startedAt < longest) return 'speaking'
    isSpeaking = false
    loudMs = 0
    return 'spoken'
  }

  /** The greatest level of the echo in comparison with the other voice, while it is the only one. */
  let echo: number | undefined
  let echoSince = 0
  let overMs = 0

  const interrupts = (level: number, ownLevel: number, nowMs: number): boolean => {
    // A pause between two sentences: its echo has the same strength.
    if (echoSince === 0 || nowMs - previousAt > 2000) {
      echoSince = nowMs
      echo = undefined
    }
    const isLearning = nowMs - echoSince < echoKnownAfter
    if (isLearning && ownLevel > 0) echo = Math.max(echo ?? -1, level - ownLevel)
    const echoLevel = ownLevel > 0 ? ownLevel + (echo ?? 0) : 0
    const isOver = !isLearning && level > Math.max((room ?? loudestRoom) + speechLevel, echoLevel + overEcho)
    overMs = isOver ? overMs + (nowMs - previousAt) : 0
    return overMs >= interruptAfter
  }

  return {
    isInterrupted: (level, ownLevel, nowMs) => {
      if (previousAt === 0) previousAt = nowMs
      const isInterrupted = interrupts(level, ownLevel, nowMs)
      previousAt = nowMs
      if (!isInterrupted) return false
      overMs = 0
      isSpeaking = true
      startedAt = nowMs
      last = nowMs
      return true
    },
    update: (level, nowMs) => {
      if (previousAt === 0) previousAt = nowMs
      const result = isSpeaking ? continueSpeech(level, nowMs) : listen(level, nowMs)
      previousAt = nowMs
      return result
    },
  }
}
