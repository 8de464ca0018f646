/** What Discord wants to know of a voice message beside its bytes. */

export interface Voice {
  readonly seconds: number
  /** Base64, a byte for each loudness. */
  readonly waveform: string
}

/** Granule positions of Opus count 48 000 in a second (RFC 7845). */
const perSecond = 48_000

/** Null for anything but Opus in Ogg, which is the one thing Discord plays as a voice message everywhere. */
export const voiceOf = (bytes: Buffer): Voice | null => {
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
  return { seconds: Math.round(seconds * 100) / 100, waveform: flat(seconds) }
}

/**
 * One sample for a tenth of a second, 256 at most, as its own clients send them; how loud it is nobody has
 * measured.
 */
const flat = (seconds: number): string =>
  Buffer.alloc(Math.min(256, Math.max(1, Math.ceil(seconds * 10))), 96).toString('base64')
