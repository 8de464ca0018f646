/**
 * Joins pieces of sound without decoding them: MP3 frames one after another, WAV samples under one header.
 */

/** Returns true if `joined` supports the type. */
export const isJoinable = (mime: string): boolean => mime === 'audio/mpeg' || mime === 'audio/wav'

/**
 * Joins pieces of one type in order. Returns undefined if their formats differ. A single piece stays
 * unchanged.
 */
export const joinSound = (pieces: readonly Uint8Array[], mime: string): Uint8Array | undefined => {
  const [first] = pieces
  if (pieces.length < 2) return first
  if (mime === 'audio/mpeg') return Buffer.concat(pieces.map(getFrames))
  if (mime !== 'audio/wav') return undefined
  const waves = pieces.map(readWave)
  const form = waves[0]?.form
  if (!form || waves.some((wave) => !wave || Buffer.compare(wave.form, form) !== 0)) return undefined
  return toWave(
    form,
    waves.map((wave) => wave?.samples ?? new Uint8Array()),
  )
}

/** For 16-bit mono samples, little endian. `rate` is in hertz. */
export const waveFromSamples = (samples: Uint8Array, rate: number): Uint8Array => {
  const form = Buffer.alloc(16)
  form.writeUInt16LE(1, 0)
  form.writeUInt16LE(1, 2)
  form.writeUInt32LE(rate, 4)
  form.writeUInt32LE(rate * 2, 8)
  form.writeUInt16LE(2, 12)
  form.writeUInt16LE(16, 14)
  return toWave(form, [samples])
}

const toWave = (form: Uint8Array, samples: readonly Uint8Array[]): Uint8Array => {
  const data = Buffer.concat(samples)
  const chunk = (name: string, body: Uint8Array) => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(body.byteLength, 4)
    // A chunk of odd length is followed by a padding byte.
    return Buffer.concat([head, body, Buffer.alloc(body.byteLength % 2)])
  }
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', form), chunk('data', data)]))
}

interface Wave {
  readonly form: Uint8Array
  readonly samples: Uint8Array
}

const readWave = (bytes: Uint8Array): Wave | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let form: Uint8Array | undefined
  for (let position = 12; position + 8 <= file.length; ) {
    const name = file.toString('latin1', position, position + 4)
    const size = file.readUInt32LE(position + 4)
    // A streamed file has an unknown size. Then the data extends to the end.
    const body = file.subarray(position + 8, position + 8 + size)
    if (name === 'fmt ') form = body
    if (name === 'data' && form) return { form, samples: body }
    position += 8 + size + (size % 2)
  }
  return undefined
}

/** Returns the frames without tags, and without a first frame that contains the length of this piece. */
const getFrames = (bytes: Uint8Array): Uint8Array => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let start = 0
  if (file.toString('latin1', 0, 3) === 'ID3' && file.length >= 10) {
    const size = file.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
    start = 10 + size + ((file[5] ?? 0) & 0x10 ? 10 : 0)
  }
  const end =
    file.toString('latin1', file.length - 128, file.length - 125) === 'TAG' ? file.length - 128 : file.length
  const frames = file.subarray(start, end)
  const isInfoFrame = /Xing|Info|VBRI/.test(frames.toString('latin1', 4, 64))
  return isInfoFrame ? frames.subarray(frameLength(frames)) : frames
}

// Kbit/s and hertz by the header's indices, for layer III:
// https://www.mp3-tech.org/programmer/frame_header.html
const rates = [44_100, 48_000, 32_000]
const bits = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}

/** Returns the length in bytes, or 0 if it is not a frame. */
const frameLength = (frame: Uint8Array): number => {
  const [, secondByte = 0, thirdByte = 0] = frame
  const version = (secondByte >> 3) & 3
  const kilobits = (version === 3 ? bits.one : bits.two)[thirdByte >> 4] ?? 0
  const rate = (rates[(thirdByte >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
  if (!kilobits || !rate) return 0
  return Math.floor(((version === 3 ? 144 : 72) * kilobits * 1000) / rate) + ((thirdByte >> 1) & 1)
}
