/** Records audio clips with the browser's microphone. */

export interface Recording {
  /** The current loudness from 0 to 1; always 0 if the browser cannot measure it. */
  readonly level: () => number
  /** Resolves to null if nothing was recorded. */
  readonly stop: () => Promise<File | null>
  readonly cancel: () => void
}

export interface Microphone {
  /** The same as in a recording. */
  readonly level: () => number
  /** The browser then records silence. */
  readonly mute: (isMuted: boolean) => void
  /** Starts recording a clip. */
  readonly take: () => Take
  /** Without this, the browser would still show that the microphone is in use. */
  readonly close: () => void
}

export interface Take {
  /** Resolves to null if nothing was recorded. */
  readonly stop: () => Promise<File | null>
  readonly drop: () => void
}

/**
 * `denied` by the user or the browser; `absent`: no microphone; `busy`: in use by another program, or failed.
 */
export type MicTrouble = 'denied' | 'absent' | 'busy'

/** In order of preference. If none is supported, the browser's default is used. */
const preferredTypes = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
const extensions: Readonly<Record<string, string>> = {
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
    const mute = (isMuted: boolean) => {
      for (const track of stream.getAudioTracks()) track.enabled = !isMuted
    }
    return { level: meter.level, mute, take: () => startTake(stream), close }
  } catch {
    silence(stream)
    return 'busy'
  }
}

/** Records one clip. Releases the microphone when it ends. */
export const record = async (): Promise<Recording | MicTrouble> => {
  const microphone = await openMicrophone()
  if (typeof microphone === 'string') return microphone
  const { level, take, close } = microphone
  try {
    const { stop, drop } = take()
    const closeAfter = <T>(result: T): T => {
      close()
      return result
    }
    return { level, stop: () => closeAfter(stop()), cancel: () => closeAfter(drop()) }
  } catch {
    close()
    return 'busy'
  }
}

const startTake = (stream: MediaStream): Take => {
  const mimeType = preferredTypes.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
  const chunks: Blob[] = []
  const whenStopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()))
  const drop = () => {
    // An unplugged microphone has already stopped the recorder. Its recording is kept.
    if (recorder.state !== 'inactive') recorder.stop()
  }

  recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && chunks.push(data))
  recorder.start(1_000)
  return {
    drop,
    stop: async () => {
      drop()
      await whenStopped
      const type = (recorder.mimeType || 'audio/webm').split(';')[0] ?? ''
      return chunks.length > 0 ? new File(chunks, `voice.${extensions[type] ?? 'webm'}`, { type }) : null
    },
  }
}

const silence = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

/** Without echo cancellation, the microphone would record the voice of the persona. */
const sound = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

const listen = async (): Promise<MediaStream | MicTrouble> => {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: sound })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
    return name === 'NotFoundError' ? 'absent' : 'busy'
  }
}

/** Decibels that count as silence. */
const silenceDb = -55

const createMeter = (stream: MediaStream) => {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  // Longer than the time between two measurements, so that no sound is missed.
  analyser.fftSize = 4096
  context.createMediaStreamSource(stream).connect(analyser)
  return { level: () => measureLevel(analyser), close: () => void context.close() }
}

/** Returns the loudness from 0 to 1, linear in decibels. */
export const measureLevel = (analyser: AnalyserNode): number => {
  const wave = new Float32Array(analyser.fftSize)
  analyser.getFloatTimeDomainData(wave)
  const power = wave.reduce((sum, value) => sum + value * value, 0) / wave.length
  const decibels = power > 0 ? 10 * Math.log10(power) : silenceDb
  return Math.min(1, Math.max(0, 1 - decibels / silenceDb))
}
