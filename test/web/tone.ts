/** A tone as a WAV file. */

const rate = 8_000

export const tone = (seconds: number): Buffer => {
  const samples = Math.round(seconds * rate)
  const file = Buffer.alloc(44 + samples * 2)
  file.write('RIFF')
  file.writeUInt32LE(36 + samples * 2, 4)
  file.write('WAVEfmt ', 8)
  // 16 bytes of format: PCM, mono, 16-bit samples.
  for (const [value, at] of [
    [16, 16],
    [1 | (1 << 16), 20],
    [rate, 24],
    [rate * 2, 28],
    [2 | (16 << 16), 32],
  ] as const)
    file.writeUInt32LE(value, at)
  file.write('data', 36)
  file.writeUInt32LE(samples * 2, 40)
  for (let offset = 0; offset < samples; offset += 1)
    file.writeInt16LE(Math.round(4_000 * Math.sin(offset / 3)), 44 + offset * 2)
  return file
}
