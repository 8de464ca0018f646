/** The length and waveform of a voice message, which Discord requires and Matrix clients show. */

export interface Voice {
  readonly seconds: number
  /** Base64, one byte per sample of the loudness. */
  readonly waveform: string
}

/** Granule positions of Opus count 48 000 samples per second (RFC 7845). */
const perSecond = 48_000

/**
 * Returns null unless the file is Opus in Ogg, the only format that all Discord clients play as a voice
 * message.
 */
export const createVoiceMessage = (bytes: Buffer): Voice | null => {
  const head = bytes.subarray(0, 512).indexOf('OpusHead')
  const last = bytes.lastIndexOf('OggS')
  if (
    !bytes.subarray(0, 4).equals(Buffer.from('OggS')) ||
    head < 0 ||
    head + 12 > bytes.length ||
    last + 14 > bytes.length
  )
    return null

  const end = bytes.readBigInt64LE(last + 6)
  const seconds = (Number(end) - bytes.readUInt16LE(head + 10)) / perSecond
  if (!(seconds > 0 && seconds < 24 * 3600)) return null
  return { seconds: Math.round(seconds * 100) / 100, waveform: flattenSeconds(seconds) }
}

/**
 * Returns a flat waveform: one sample per 0.1 s, at most 256, as Discord's own clients send it. The real
 * loudness is not measured.
 */
const flattenSeconds = (seconds: number): string =>
  Buffer.alloc(Math.min(256, Math.max(1, Math.ceil(seconds * 10))), 96).toString('base64')
