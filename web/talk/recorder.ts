/** The microphone of this browser, and clips of what it hears. */

export interface Recording {
  /** How loud it is now, from 0 to 1; always 0 where the browser cannot tell. */
  readonly level: () => number
  /** Null when nothing was recorded. */
  readonly stop: () => Promise<File | null>
  readonly cancel: () => void
}

export interface Microphone {
  /** As of a recording. */
  readonly level: () => number
  /** Begins a clip of what it hears from now on. */
  readonly take: () => Take
  /** Without this the browser would go on showing that somebody listens. */
  readonly close: () => void
}

export interface Take {
  /** Null when nothing was recorded. */
  readonly stop: () => Promise<File | null>
  readonly drop: () => void
}

/**
 * `denied`: by the person or the browser; `absent`: there is no microphone; `busy`: another program holds it,
 * or it failed.
 */
export type MicTrouble = 'denied' | 'absent' | 'busy'

/** The first the browser makes; without any of them, whatever it makes by itself. */
const wanted = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
const endings: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
}

export const openMicrophone = async (): Promise<Microphone | MicTrouble> => {
  const stream = await listen()
  if (typeof stream === 'string') return stream
  try {
    const meter = createMeter(stream)
    const close = () => {
      silence(stream)
      meter.close()
    }
    return { level: meter.level, take: () => takeOf(stream), close }
  } catch {
    silence(stream)
    return 'busy'
  }
}

/** One clip, and the microphone is given back behind it. */
export const record = async (): Promise<Recording | MicTrouble> => {
  const microphone = await openMicrophone()
  if (typeof microphone === 'string') return microphone
  const { level, take, close } = microphone
  try {
    const { stop, drop } = take()
    const ended = <T>(told: T): T => {
      close()
      return told
    }
    return { level, stop: () => ended(stop()), cancel: () => ended(drop()) }
  } catch {
    close()
    return 'busy'
  }
}

const takeOf = (stream: MediaStream): Take => {
  const mimeType = wanted.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
  const chunks: Blob[] = []
  const over = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()))
  const drop = () => {
    // A microphone that was unplugged has ended it already; what it heard is kept.
    if (recorder.state !== 'inactive') recorder.stop()
  }

  recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && chunks.push(data))
  recorder.start(1_000)
  return {
    drop,
    stop: async () => {
      drop()
      await over
      const type = (recorder.mimeType || 'audio/webm').split(';')[0] ?? ''
      return chunks.length > 0 ? new File(chunks, `voice.${endings[type] ?? 'webm'}`, { type }) : null
    },
  }
}

const silence = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

const listen = async (): Promise<MediaStream | MicTrouble> => {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
    return name === 'NotFoundError' ? 'absent' : 'busy'
  }
}

/** Decibels that count as nothing. */
const quietest = -55

const createMeter = (stream: MediaStream) => {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  // As long as from one look to the next, so that no sound falls between.
  analyser.fftSize = 4096
  context.createMediaStreamSource(stream).connect(analyser)
  const wave = new Float32Array(analyser.fftSize)
  return {
    level: () => {
      analyser.getFloatTimeDomainData(wave)
      const power = wave.reduce((sum, value) => sum + value * value, 0) / wave.length
      const decibels = power > 0 ? 10 * Math.log10(power) : quietest
      return Math.min(1, Math.max(0, 1 - decibels / quietest))
    },
    close: () => void context.close(),
  }
}
