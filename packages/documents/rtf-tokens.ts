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
  let at = 0
  while (at < rtf.length) {
    const byte = rtf[at]
    if (byte === open || byte === close) {
      at++
      yield { kind: byte === open ? 'open' : 'close' }
    } else if (byte === backslash) {
      const control = readControl(rtf, at + 1)
      at = control.end
      yield control.token
    } else {
      const end = findTextEnd(rtf, at)
      if (end > at) yield { kind: 'bytes', bytes: rtf.subarray(at, end) }
      at = end
      while (isLineEnd(rtf[at])) at++
    }
  }
}

const readControl = (rtf: Buffer, from: number): { readonly token: RtfToken; readonly end: number } => {
  let at = from
  while (isLetter(rtf[at]) && at - from < maxWordLength) at++
  if (at === from) return readSymbol(rtf, from)
  const word = rtf.toString('latin1', from, at)
  const digits = at
  if (rtf[at] === minus) at++
  while (isDigit(rtf[at]) && at - digits < 11) at++
  const value = at > digits ? Number(rtf.toString('latin1', digits, at)) : undefined
  if (rtf[at] === space) at++
  const token: RtfToken = { kind: 'control', word, value: Number.isNaN(value) ? undefined : value }
  // `\binN` is followed by N bytes of arbitrary data.
  return { token, end: word === 'bin' ? at + Math.max(0, value || 0) : at }
}

const readSymbol = (rtf: Buffer, at: number): { readonly token: RtfToken; readonly end: number } => {
  const word = rtf.toString('latin1', at, at + 1)
  if (word !== "'") return { token: { kind: 'control', word, value: undefined }, end: at + 1 }
  const hex = /^[0-9a-f]{1,2}/i.exec(rtf.toString('latin1', at + 1, at + 3))?.[0] ?? ''
  const bytes = hex ? Buffer.of(Number.parseInt(hex, 16)) : Buffer.alloc(0)
  return { token: { kind: 'bytes', bytes }, end: at + 1 + hex.length }
}

const findTextEnd = (rtf: Buffer, from: number): number => {
  let at = from
  for (let byte = rtf[at]; at < rtf.length && !isLineEnd(byte); byte = rtf[++at])
    if (byte === open || byte === close || byte === backslash) break
  return at
}

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d
const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39
const isLetter = (byte = 0): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
