/**
 * Reads the tokens of RTF 1.9.1. The package `rtf-stream-parser` 3.8.1 is not used because it takes 50 s for
 * a picture of 1 MB: it copies the whole picture for each of its lines.
 */

export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined }
  /** Raw bytes of text, or one byte of `\'hh`. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer }

const open = 0x7b
const close = 0x7d
const backslash = 0x5c
const space = 0x20
const minus = 0x2d
const maxWordLength = 32

export const rtfTokens = function* (rtf: Buffer): Generator<RtfToken> {
  let position = 0
  while (position < rtf.length) {
    const byte = rtf[position]
    if (byte === open || byte === close) {
      position++
      yield { kind: byte === open ? 'open' : 'close' }
    } else if (byte === backslash) {
      const control = readControl(rtf, position + 1)
      position = control.end
      yield control.token
    } else {
      const end = findTextEnd(rtf, position)
      if (end > position) yield { kind: 'bytes', bytes: rtf.subarray(position, end) }
      position = end
      while (isLineEnd(rtf[position])) position++
    }
  }
}

const readControl = (rtf: Buffer, from: number): { readonly token: RtfToken; readonly end: number } => {
  let position = from
  while (isLetter(rtf[position]) && position - from < maxWordLength) position++
  if (position === from) return readSymbol(rtf, from)
  const word = rtf.toString('latin1', from, position)
  const digits = position
  if (rtf[position] === minus) position++
  while (isDigit(rtf[position]) && position - digits < 11) position++
  const value = position > digits ? Number(rtf.toString('latin1', digits, position)) : undefined
  if (rtf[position] === space) position++
  const token: RtfToken = { kind: 'control', word, value: Number.isNaN(value) ? undefined : value }
  // `\binN` is followed by N bytes of arbitrary data.
  return { token, end: word === 'bin' ? position + Math.max(0, value || 0) : position }
}

const readSymbol = (rtf: Buffer, position: number): { readonly token: RtfToken; readonly end: number } => {
  const word = rtf.toString('latin1', position, position + 1)
  if (word !== "'") return { token: { kind: 'control', word, value: undefined }, end: position + 1 }
  const hex = /^[0-9a-f]{1,2}/i.exec(rtf.toString('latin1', position + 1, position + 3))?.[0] ?? ''
  const bytes = hex ? Buffer.of(Number.parseInt(hex, 16)) : Buffer.alloc(0)
  return { token: { kind: 'bytes', bytes }, end: position + 1 + hex.length }
}

const findTextEnd = (rtf: Buffer, from: number): number => {
  let position = from
  for (let byte = rtf[position]; position < rtf.length && !isLineEnd(byte); byte = rtf[++position])
    if (byte === open || byte === close || byte === backslash) break
  return position
}

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d
const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39
const isLetter = (byte = 0): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
